/** Turns "1234.50" into 123450n øre. Throws an Error if that is not an amount. */
export function toOere(amount: string): bigint {
  if (!/^-?\d+\.\d\d$/.test(amount)) throw new Error(`"${amount}" is not an amount`)
  return BigInt(amount.replace('.', ''))
}
