import type { Declaration } from '@vid/core'
import { type DecimalMark, readCellNumber } from './number-text.ts'

/** The value of a cell; nothing for the default of its variable, or what is wrong with its text. */
export type CellValue = { readonly value: unknown } | { readonly problem: string } | undefined

/** What the other cells of a column say about one. */
export interface ColumnFacts {
  readonly mark: DecimalMark | undefined
  /** Whether its cells are ticked or empty, as Airtable writes them. */
  readonly isTicked: boolean
}

// Spreadsheets write these words in the language of their user.
const TRUE = new Set(
  'true yes y t 1 on x ✓ ☑ checked wahr ja vrai oui vero sì si verdadero sí verdadeiro sim waar prawda tak истина да sant sand sann tosi doğru evet pravda igaz'.split(
    ' ',
  ),
)
const FALSE = new Set(
  'false no n f 0 off ☐ unchecked falsch nein faux non falso não nao onwaar nee fałsz nie ложь нет falskt falsk usann epätosi yanlış hayır nepravda hamis'.split(
    ' ',
  ),
)

const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

const readBoolean = (text: string): CellValue => {
  const word = text.trim().toLowerCase()
  if (TRUE.has(word)) return { value: true }
  return FALSE.has(word) ? { value: false } : { problem: `${shown(text)} is neither true nor false` }
}

const readColor = (text: string): CellValue => {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1]
  if (digits !== undefined) return { value: `#${digits}` }
  const short = /^#([0-9a-f]{3})$/i.exec(text.trim())?.[1]
  if (short !== undefined) return { value: `#${[...short].map((digit) => digit + digit).join('')}` }
  return { problem: `${shown(text)} is not a colour such as #2a9d8f` }
}

const readEnum = (text: string, options: readonly { readonly value: string; readonly label: string }[]): CellValue => {
  const word = text.trim()
  const exact = options.find(({ value }) => value === word) ?? options.find(({ label }) => label === word)
  if (exact) return { value: exact.value }
  const lower = word.toLowerCase()
  const alike = options.filter(({ value, label }) => [value.toLowerCase(), label.toLowerCase()].includes(lower))
  const [only] = alike
  if (only && alike.length === 1) return { value: only.value }
  return { problem: `${shown(text)} is none of ${options.map(({ value }) => `"${value}"`).join(', ')}` }
}

const readTyped = (text: string, declaration: Declaration, { mark }: ColumnFacts): CellValue => {
  if (declaration.type === 'boolean') return readBoolean(text)
  if (declaration.type === 'color') return readColor(text)
  if (declaration.type === 'enum') return readEnum(text, declaration.options)
  const number = readCellNumber(text, mark)
  return typeof number === 'number' ? { value: number } : number
}

/** What formulas leave in cells that they cannot compute. */
const FORMULA_ERROR = /^#(?:N\/A|REF!|DIV\/0!|NAME\?|VALUE!|NUM!|NULL!|SPILL!|CALC!|ERROR!|BEZUG!|WERT!|NV|ZAHL!)$/

/** The value that a cell gives its variable. */
export const readCell = (text: string, declaration: Declaration, facts: ColumnFacts): CellValue => {
  const word = text.trim()
  const isText = declaration.type === 'string'
  if (word === '') return declaration.type === 'boolean' && facts.isTicked ? { value: false } : undefined
  // Database dumps write these for a cell without a value; Null is also somebody's name.
  if (word === '\\N' || (!isText && word.toUpperCase() === 'NULL')) return undefined
  if (FORMULA_ERROR.test(word)) return { problem: `its formula has failed: ${word}` }
  return isText ? { value: text } : readTyped(text, declaration, facts)
}
