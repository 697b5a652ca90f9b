import { expect, test } from 'vitest'
import { STYLE_FIELDS, statedStyle, statedValue, styleValue } from './style-fields.ts'

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

test.each([
  ['auto 0 450px', ['auto', '0', '450px', '0']],
  ['8px', ['8px', '8px', '8px', '8px']],
  ['1px 2px 3px calc(100% - 4px)', ['1px', '2px', '3px', 'calc(100% - 4px)']],
])('the sides of inset: %s are shown apart', (value, sides) => {
  const stated = { property: 'inset', from: 'h1', value }
  expect(['top', 'right', 'bottom', 'left'].map((side) => statedValue(stated, side))).toEqual(sides)
  expect(statedValue({ property: 'left', from: 'h1', value: '4px' }, 'left')).toBe('4px')
})
