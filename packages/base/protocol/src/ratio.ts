/** A fraction of two whole numbers. */
export interface Ratio {
  readonly num: number
  readonly den: number
}

/** A whole number, or a fraction in lowest terms as text, such as `30000/1001`. */
export type ExactNumber = number | string

const divisorOf = (one: number, other: number): number => (other === 0 ? one : divisorOf(other, one % other))

/** The largest whole number that divides both. */
export const commonDivisor = divisorOf

/** The numerator and denominator of an exact number. */
export const ratioOf = (value: ExactNumber): Ratio => {
  const [num, den = 1] = String(value).split('/').map(Number)
  return { num: num ?? Number.NaN, den }
}

/** A fraction as an exact number: whole where it can be, else in lowest terms. */
export const exactNumber = ({ num, den }: Ratio): ExactNumber => {
  const divisor = divisorOf(num, den)
  return den === divisor ? num / divisor : `${num / divisor}/${den / divisor}`
}

const DECIMAL = /^(\d{1,9})(?:\.(\d{1,6}))?$/
const FRACTION = /^(\d{1,9})\/(\d{1,9})$/

/** The fraction that a decimal number or a fraction in words means, such as `0.5` or `1/3`; undefined for anything else. */
export const readRatio = (text: string): Ratio | undefined => {
  const [, over, under] = FRACTION.exec(text) ?? []
  if (over !== undefined) return Number(under) > 0 ? { num: Number(over), den: Number(under) } : undefined
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? []
  return whole === undefined ? undefined : { num: Number(`${whole}${decimals}`), den: 10 ** decimals.length }
}
