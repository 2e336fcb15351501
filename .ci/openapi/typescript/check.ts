// Fails to compile if a generated client gets a type of the API wrong.
import type { components } from "./openapi-typescript";
import * as hey from "./hey-api";
import * as orval from "./orval";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Schemas = components["schemas"];

type Codes =
  | "BAD_REQUEST"
  | "UNAUTHORIZED"
  | "COMPANY_NOT_FOUND"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "VALIDATION_ERROR"
  | "RATE_LIMIT_EXCEEDED"
  | "HEADERS_TOO_LARGE"
  | "INTERNAL_ERROR"
  | "SERVICE_UNAVAILABLE";

// Integers are numbers, and only fields that can be null are.
type Checked<Company, Transaction, Page, Code> = [
  Same<Company[keyof Company & "address"], string | null>,
  Same<Company[keyof Company & "name"], string>,
  Same<Company[keyof Company & "defaultAmountCents"], number | null>,
  Same<Transaction[keyof Transaction & "count"], number>,
  Same<Transaction[keyof Transaction & "amountDkk"], string>,
  Same<Transaction[keyof Transaction & "processedAt"], string | null>,
  Same<Page, { total: number; limit: number; hasMore: boolean }>,
  Same<Code, Codes>,
];
type Good = [true, true, true, true, true, true, true, true];

const checked: [
  Checked<Schemas["Company"], Schemas["Transaction"], Schemas["PageMeta"], Schemas["ErrorCode"]>,
  Checked<hey.Company, hey.Transaction, hey.PageMeta, hey.ErrorCode>,
  Checked<orval.Company, orval.Transaction, orval.PageMeta, orval.ErrorCode>,
] = null as unknown as [Good, Good, Good];
void checked;

// Every operation takes what the document allows, and every error is the same type.
async function use(): Promise<void> {
  const { data, error } = await hey.listTransactions({
    baseUrl: "https://dispo.example.com/api",
    headers: { "X-API-Key": "dispo_…", "If-None-Match": 'W/"5f0e3a1cbb92d4e7"', Prefer: "wait=30" },
    path: { cvr: "10315034" },
    query: { limit: 100, after: "019b8d47-03be-7a18-8c5d-2f60b94e7713" },
  });
  const total: number | undefined = data?.meta.total;
  const wait: number | undefined = error?.error.retryAfter;
  const company = await orval.getCompany("10315034");
  if (company.status === 404) {
    const code: Codes = company.data.error.code;
    void code;
  }
  void total;
  void wait;
}
void use;
