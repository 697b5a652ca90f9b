import { test } from 'vitest'

/** Whether every case of every table is tried, and the tests that take longest: `npm run lab -- all-cases`. */
export const isWhole = process.env.VID_TEST_CASES === 'all'

/** Rows of a table in even steps, the first and the last among them; all of them where every case is tried. */
export const partOf = <const Rows extends readonly unknown[]>(rows: Rows, count: number): Rows[number][] => {
  if (isWhole || count >= rows.length) return [...rows]
  const step = (rows.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, n) => rows[Math.round(n * step)])
}

/** A test of what others show in part, in more time: left out unless every case is tried. */
export const longTest = test.runIf(isWhole)
