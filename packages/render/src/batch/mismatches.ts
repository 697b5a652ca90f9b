import type { VidError, Warning } from '@vid/kernel'

/** Warnings about values that are shown one by one. */
const MAX_WARNINGS = 50

/** A value of a row that does not fit the declaration of its variable. */
export interface Mismatch {
  readonly row: number
  readonly code: string
  readonly message: string
}

/** The rules of a batch for such values. */
export interface MismatchRules {
  readonly isStrict: boolean
  /** The word for a row in messages, such as `line`. */
  readonly called: string
  /** Creates the error of a row. */
  refuse(row: number, problem: string): VidError
}

/** Values of rows that do not fit: errors under strict checking, else warnings, the last of which counts the rest. */
export const judgeMismatches = (
  mismatches: readonly Mismatch[],
  { isStrict, called, refuse }: MismatchRules,
): { readonly errors: readonly VidError[]; readonly warnings: readonly Warning[] } => {
  if (isStrict) return { errors: mismatches.map(({ row, message }) => refuse(row, message)), warnings: [] }
  const name = `${called[0]?.toUpperCase()}${called.slice(1)}`
  const warnings: Warning[] = mismatches.slice(0, MAX_WARNINGS).map(({ code, row, message }) => ({
    code,
    message: `${name} ${row}: ${message}`,
    hint: `Correct the ${called}, or refuse such ${called}s with --strict-variables.`,
  }))
  const rest = mismatches.length - MAX_WARNINGS
  const [first] = mismatches
  if (rest > 0 && first) warnings.push({ code: first.code, message: `${rest} more values of ${called}s do not fit` })
  return { errors: [], warnings }
}
