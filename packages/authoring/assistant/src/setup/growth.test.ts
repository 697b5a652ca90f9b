import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../../../../scripts/dev/growth.ts'
import { changeSettings } from './settings-text.ts'

test('settings with many comments are read in time in proportion to them', () => {
  const textOf = (length: number) => `{"servers": {"other": 1 ${'/**/ '.repeat(length / 5)}\n}}`
  const form = { kind: 'json', path: ['servers', 'vid'], entry: {} } as const
  expect(growthOf(textOf, (text) => changeSettings(text, form))).toBeLessThan(MOST_GROWTH)
})
