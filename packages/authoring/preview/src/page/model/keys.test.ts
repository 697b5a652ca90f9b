import { expect, test } from 'vitest'
import { commandOf, type Focus, KEY_LINES, keyName, type Pressed } from './keys.ts'

const pressed = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...more,
})

const command = (key: string, more: Partial<Pressed> = {}, focus: Focus = 'nothing') =>
  commandOf(pressed(key, more), focus)

test('keys do what they do in editors', () => {
  expect(command(' ')).toBe('toggle')
  expect(command('ArrowRight')).toBe('stepForward')
  expect(command('ArrowRight', { shiftKey: true })).toBe('secondForward')
  expect(['j', 'k', 'l'].map((key) => command(key))).toEqual(['shuttleBack', 'stop', 'shuttleForward'])
  expect(['i', 'o'].map((key) => command(key))).toEqual(['markIn', 'markOut'])
  expect(command('?', { shiftKey: true })).toBe('keys')
  expect(command('J')).toBe('shuttleBack')
})

test('no two commands share a key', () => {
  const keys = KEY_LINES.flatMap((line) => line.keys)
  expect(new Set(keys).size).toBe(keys.length)
})

test('shortcuts of the browser are left to it', () => {
  expect(command('f', { ctrlKey: true })).toBeUndefined()
  expect(command('ArrowLeft', { altKey: true })).toBeUndefined()
  expect(command('l', { metaKey: true })).toBeUndefined()
})

test('what has the focus keeps the keys that it needs', () => {
  expect(command('j', {}, 'text')).toBeUndefined()
  expect(command('ArrowLeft', {}, 'slider')).toBeUndefined()
  expect(command(' ', {}, 'slider')).toBe('toggle')
  expect(command(' ', {}, 'button')).toBeUndefined()
  expect(command('ArrowLeft', {}, 'button')).toBe('stepBack')
  expect(command('End', {}, 'tab')).toBeUndefined()
  expect(command('j', {}, 'tab')).toBe('shuttleBack')
  expect(command('m', {}, 'choice')).toBeUndefined()
})

test('keys are named as they are written on keyboards', () => {
  expect(keyName('shift+arrowleft')).toBe('Shift + ←')
  expect(keyName('+')).toBe('+')
  expect(keyName('space')).toBe('Space')
})
