/** Turns "1234.50" into 123450n øre. Throws an Error if that is not an amount. */
export function toOere(amount: string | null): bigint {
  if (amount === null || !/^-?\d+\.\d\d$/.test(amount)) throw new Error(`${amount} is not an amount`)
  return BigInt(amount.replace('.', ''))
}

/** Turns 123450n øre into "1234.50". */
export function fromOere(oere: bigint): string {
  const digits = String(oere < 0n ? -oere : oere).padStart(3, '0')
  return `${oere < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
