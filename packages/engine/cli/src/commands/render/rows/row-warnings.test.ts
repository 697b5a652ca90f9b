import type { Warning } from '@vid/protocol'
import { expect, test } from 'vitest'
import { createRowWarnings } from './row-warnings.ts'

const shownOf = (messages: readonly string[]): readonly string[] => {
  const shown: Warning[] = []
  const warnings = createRowWarnings((warning) => shown.push(warning))
  for (const [row, message] of messages.entries())
    warnings.take({ code: 'VID_LETTERS_MISSING', message: `Row ${row}: ${message}` }, `row ${row}`, message)
  warnings.end()
  return shown.map(({ message }) => message)
}

test('the same warning of many rows is shown once, and then the rows that have it too', () => {
  expect(shownOf(Array<string>(12).fill('No font has 山.'))).toEqual([
    'Row 0: No font has 山.',
    'The same in row 1, row 2, row 3, row 4, row 5, row 6, row 7, row 8 and 3 more; --json shows each one.',
  ])
})

test('of warnings that differ in each row, two are shown', () => {
  expect(shownOf(['No font has 山.', 'No font has 田.', 'No font has 川.'])).toEqual([
    'Row 0: No font has 山.',
    'Row 1: No font has 田.',
    'The same in row 2; --json shows each one.',
  ])
})

test('a warning of one row is shown as it is', () => {
  expect(shownOf(['No font has 山.'])).toEqual(['Row 0: No font has 山.'])
})
