// Imports the client, or says why it cannot: older versions of Node do not read TypeScript.
if (globalThis.process?.versions?.node && !process.features.typescript) {
  throw new Error(`dispo-client needs Node 22.18 or newer, which runs TypeScript, and this is Node ${process.versions.node}`)
}
export const { CopyDiffersError, Dispo, DispoError, LockedError } = await import('./index.ts')
