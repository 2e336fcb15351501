// Copies your companies and their transactions into a folder, and proves that the copy
// is complete. Run it as often as you like, one run at a time: it reads only what is new,
// and one request tells it that nothing is.
//
//   dotnet new console --output sync && cp sync.cs sync/Program.cs
//   DISPO_KEY=dispo_… dotnet run --project sync -- [FOLDER]
//
// The folder has companies.jsonl, with a company on each line, and for each company
// CVR.jsonl, with its transactions. The id on the last line is the cursor. If a run is
// killed while it writes, the next one cuts off what is not a whole line, and goes on
// from there.
//
// The exit status is 0 if the copy is complete, 1 if it is not (run it again), and 2 if a
// setting is missing. Needs .NET 8 or later, and no packages.
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

const int MaxTries = 5; // of one request

string key = (Environment.GetEnvironmentVariable("DISPO_KEY") ?? "").Trim();
string baseUrl = Environment.GetEnvironmentVariable("DISPO_URL") is { Length: > 0 } url ? url : "https://dispo.example/api";
string folder = args.Length > 0 ? args[0] : "dispo-copy";

if (!Regex.IsMatch(key, "^dispo_[0-9A-Za-z_]+$"))
{
    Console.Error.WriteLine("Set DISPO_KEY to your API key.");
    return 2;
}
// The API never redirects, and the key must not follow to another server.
using var client = new HttpClient(new HttpClientHandler
{
    AllowAutoRedirect = false,
    AutomaticDecompression = DecompressionMethods.All,
}) { Timeout = TimeSpan.FromSeconds(30) };
try
{
    await Sync();
    return 0;
}
catch (Exception error)
{
    Console.Error.WriteLine($"The copy is not complete: {error.Message}");
    return 1;
}

async Task Sync()
{
    Directory.CreateDirectory(folder);
    // The ETag changes whenever anything of the organization changes.
    string etagPath = Path.Combine(folder, "etag");
    Page? page = await Get("/v1/companies?limit=100", File.Exists(etagPath) ? File.ReadAllText(etagPath) : "");
    if (page == null)
    {
        Console.WriteLine("Nothing has changed since the copy was proved.");
        return;
    }
    string newEtag = page.ETag;
    await Task.Delay(1000); // answers are up to a second behind the data, but now as new as the ETag
    var companies = new List<JsonElement>(page.Data);
    while (page.HasMore)
    {
        page = (await Get($"/v1/companies?limit=100&after={Text(companies[^1], "id")}"))!;
        companies.AddRange(page.Data);
    }
    Replace("companies.jsonl", Lines(companies));
    foreach (JsonElement company in companies)
    {
        await SyncCompany(Text(company, "cvr"), Text(company, "name"));
    }
    // Kept only now, and from before the first read: a change since then is found next time.
    Replace("etag", Encoding.UTF8.GetBytes(newEtag));
    Console.WriteLine($"{companies.Count} companies. The copy is complete.");
}

// Reads what the copy lacks of a company's transactions, and proves the copy by their
// number and sum.
async Task SyncCompany(string cvr, string name)
{
    using var copy = new Copy(Path.Combine(folder, cvr + ".jsonl"));
    for (int round = 0; round < 2; round++)
    {
        long had = copy.Count;
        Page page;
        do
        {
            string after = copy.Last == "" ? "" : $"&after={copy.Last}";
            page = (await Get($"/v1/companies/{cvr}/transactions?limit=100{after}"))!;
            copy.Append(page.Data);
        } while (page.HasMore);
        if (copy.Count == page.Total && copy.Sum == Amount(page.TotalAmount))
        {
            Console.WriteLine($"{cvr} {name}: {copy.Count} transactions, {copy.Count - had} new, {page.TotalAmount} DKK");
            return;
        }
        Console.Error.WriteLine($"{cvr}: the copy differs: a delivery was withdrawn, or a file was damaged. Reading it again from the start.");
        copy.Clear();
    }
    throw new Failure($"{cvr}: number and sum keep changing");
}

// Requests a path, and returns the page, or null if the ETag is still current. Waits and
// tries again if a limit is reached, the service is unavailable, or the network fails.
async Task<Page?> Get(string path, string etag = "")
{
    for (int attempt = 1; ; attempt++)
    {
        int wait = 1 << (attempt - 1);
        string problem;
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, baseUrl + path);
            request.Headers.Add("X-API-Key", key);
            if (etag != "") request.Headers.TryAddWithoutValidation("If-None-Match", etag);
            using HttpResponseMessage response = await client.SendAsync(request);
            string body = await response.Content.ReadAsStringAsync();
            if (response.StatusCode == HttpStatusCode.OK) return Page.Read(body, response);
            if (response.StatusCode == HttpStatusCode.NotModified) return null;
            problem = Describe(response, body);
            if (response.StatusCode != HttpStatusCode.TooManyRequests && (int)response.StatusCode < 500) throw new Failure(problem);
            if (response.Headers.RetryAfter?.Delta is TimeSpan delay) wait = (int)delay.TotalSeconds;
        }
        catch (Exception error) when (error is HttpRequestException or TaskCanceledException or IOException)
        {
            problem = error.Message;
        }
        if (attempt == MaxTries) throw new Failure($"{problem}; gave up after {MaxTries} tries");
        Console.Error.WriteLine($"{problem}; trying again in {wait} s (try {attempt} of {MaxTries})");
        await Task.Delay(TimeSpan.FromSeconds(wait));
    }
}

// Returns the API's error as text.
string Describe(HttpResponseMessage response, string body)
{
    string problem = "this is not an answer of the API"; // but of a proxy, perhaps
    try
    {
        JsonElement error = JsonDocument.Parse(body).RootElement.GetProperty("error");
        problem = $"{Text(error, "code")}: {Text(error, "message")}";
    }
    catch (Exception error) when (error is JsonException or KeyNotFoundException or InvalidOperationException)
    {
    }
    return $"{(int)response.StatusCode} {problem} (X-Request-Id {Page.Header(response, "X-Request-Id")})";
}

// Writes a file so that it has the old content or the new one, whatever happens.
void Replace(string name, byte[] content)
{
    string path = Path.Combine(folder, name);
    using (var file = new FileStream(path + ".new", FileMode.Create))
    {
        file.Write(content);
        file.Flush(flushToDisk: true);
    }
    File.Move(path + ".new", path, overwrite: true);
}

static string Text(JsonElement item, string field) => item.GetProperty(field).GetString()!;

static decimal Amount(string text) => decimal.Parse(text, NumberStyles.Number, CultureInfo.InvariantCulture);

static byte[] Lines(IEnumerable<JsonElement> items) =>
    Encoding.UTF8.GetBytes(string.Concat(items.Select(item => item.GetRawText() + "\n")));

// The copy of one company's transactions.
class Copy : IDisposable
{
    readonly FileStream file;
    public string Last = ""; // the id of the last transaction
    public long Count;
    public decimal Sum;

    public Copy(string path)
    {
        file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite);
        long end = 0;
        while (ReadLine() is byte[] line)
        {
            try
            {
                using JsonDocument transaction = JsonDocument.Parse(line);
                Add(transaction.RootElement);
            }
            catch (JsonException)
            {
                break;
            }
            end += line.Length + 1;
        }
        file.SetLength(end);
        file.Seek(end, SeekOrigin.Begin);
    }

    // Returns the next line without its end, or null if there is no whole line.
    byte[]? ReadLine()
    {
        var line = new List<byte>();
        for (int next = file.ReadByte(); next >= 0; next = file.ReadByte())
        {
            if (next == '\n') return line.ToArray();
            line.Add((byte)next);
        }
        return null;
    }

    void Add(JsonElement transaction)
    {
        Sum += decimal.Parse(transaction.GetProperty("amountDkk").GetString()!, NumberStyles.Number, CultureInfo.InvariantCulture);
        Last = transaction.GetProperty("id").GetString()!;
        Count++;
    }

    public void Append(List<JsonElement> transactions)
    {
        foreach (JsonElement transaction in transactions)
        {
            file.Write(Encoding.UTF8.GetBytes(transaction.GetRawText() + "\n"));
            Add(transaction);
        }
        file.Flush(flushToDisk: true);
    }

    public void Clear()
    {
        file.SetLength(0);
        Last = "";
        Count = 0;
        Sum = 0;
    }

    public void Dispose() => file.Dispose();
}

// A page of a list.
record Page(List<JsonElement> Data, long Total, bool HasMore, string ETag, string TotalAmount)
{
    public static Page Read(string body, HttpResponseMessage response)
    {
        JsonElement root = JsonDocument.Parse(body).RootElement;
        JsonElement meta = root.GetProperty("meta");
        return new Page(
            root.GetProperty("data").EnumerateArray().ToList(),
            meta.GetProperty("total").GetInt64(),
            meta.GetProperty("hasMore").GetBoolean(),
            Header(response, "ETag"),
            Header(response, "X-Total-Amount-Dkk"));
    }

    public static string Header(HttpResponseMessage response, string name) =>
        response.Headers.TryGetValues(name, out IEnumerable<string>? values) ? values.First() : "";
}

// Ends the program with a message.
class Failure(string message) : Exception(message);
