import { defineWarnings, type WarningTable } from '@vid/protocol'

/** The values that do not fit and are not listed one by one. */
interface Rest {
  readonly more: number
}

/** A value that does not fit its declaration; `place` says where it is written, and is empty for a value from outside. */
interface Unfit {
  readonly variableId: string
  readonly place: string
}

const rest = ({ more }: Rest) => ({
  message: `${more} more variables do not fit their declarations.`,
  hint: 'Correct the values, or declare them in data-composition-variables.',
})

const one = (message: string) => ({
  message,
  hint: 'Correct the value, or declare it in data-composition-variables.',
})

const unexpected = (f: Rest | (Unfit & { readonly expected: string; readonly actual: string })) =>
  'more' in f ? rest(f) : one(`Variable "${f.variableId}" expected ${f.expected}, got ${f.actual}${f.place}.`)

/** Warnings about values of variables; each is an error with --strict-variables. */
export const coreWarnings = {
  VID_VARIABLE_UNDECLARED: (f: Rest | Unfit) =>
    'more' in f ? rest(f) : one(`Variable "${f.variableId}" is not declared in data-composition-variables${f.place}.`),
  VID_VARIABLE_TYPE_MISMATCH: unexpected,
  VID_VARIABLE_ENUM_OUT_OF_RANGE: unexpected,
  VID_VARIABLE_OUT_OF_RANGE: unexpected,
} satisfies WarningTable

/** Makes the warnings of this package. */
export const coreWarning = defineWarnings(coreWarnings)
