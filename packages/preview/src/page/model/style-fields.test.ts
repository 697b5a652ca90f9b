import { expect, test } from 'vitest'
import { STYLE_FIELDS, statedStyle, styleValue } from './style-fields.ts'

const [left] = STYLE_FIELDS['Place and size']

test('a length without a unit is in pixels, and no text removes the property', () => {
  if (!left) throw new Error('there is no field for left')
  expect(['40', '-4.5', '0', '2em', ' 50% ', '  '].map((text) => styleValue(left, text))).toEqual([
    '40px',
    '-4.5px',
    '0',
    '2em',
    '50%',
    null,
  ])
})

test('an inline style is stated over those of rules, and a later rule over earlier ones', () => {
  const styles = [
    { property: 'color', from: 'inline', value: 'red' },
    { property: 'color', from: 'h1', value: 'blue' },
    { property: 'background', from: 'h1', value: 'white' },
    { property: 'background-color', from: '#a', value: 'black' },
  ]
  expect(statedStyle(styles, 'color')?.value).toBe('red')
  expect(statedStyle(styles, 'background-color')?.value).toBe('black')
  expect(statedStyle(styles.slice(0, 3), 'background-color')?.value).toBe('white')
  expect(statedStyle(styles, 'left')).toBeUndefined()
})
