import type { ConsoleMessage } from '@vid/protocol'
import { expect, test } from 'vitest'
import { CONSOLE_LIMIT, consoleLevel, consoleText, countMessages } from './console-text.ts'

const property = (name: string, value: string) => ({ name, value })

test.each([
  [[{ value: 'GSAP target' }, { value: '#x' }, { value: 3 }], 'GSAP target #x 3'],
  [[{ type: 'undefined' }, { type: 'object', value: null }], 'undefined null'],
  [[{ value: '%cStyled' }, { value: 'color: red' }, { value: 'rest' }], 'Styled rest'],
  [[{ value: '%d of %s, 100%%' }, { value: 1 }, { value: 'two' }], '1 of two, 100%'],
  [[{ value: 'only %s' }], 'only %s'],
  [[{ description: 'Object', preview: { properties: [property('a', '1')], overflow: true } }], '{ a: 1, … }'],
  [[{ description: 'Array(1)', preview: { subtype: 'array', properties: [property('0', 'x')] } }], '[x]'],
  [[{ description: 'Error: no\n at x', preview: { subtype: 'error', properties: [] } }], 'Error: no\n at x'],
])('the arguments %j are one text', (args, text) => {
  expect(consoleText(args)).toBe(text)
})

test('levels of browsers are those of the page, and others are not shown', () => {
  expect(['log', 'info', 'warning', 'error', 'assert', 'debug', 'table', 'toString'].map(consoleLevel)).toEqual([
    'log',
    'info',
    'warn',
    'error',
    'error',
    undefined,
    undefined,
    undefined,
  ])
})

test('a page that logs on every frame passes on a limited number of messages, cut to a length', () => {
  const passed: ConsoleMessage[] = []
  const countMessage = countMessages((message) => passed.push(message))
  for (let frame = 0; frame < 1000; frame++) countMessage('log', `frame ${frame}`)
  expect(passed).toHaveLength(CONSOLE_LIMIT)
  expect(countMessage('log', 'frame 0')).toBe(false)
  expect(passed.at(-1)).toEqual({ level: 'log', text: 'frame 0', count: 2 })
  const other: ConsoleMessage[] = []
  countMessages((message) => other.push(message))('warn', 'x'.repeat(1e6))
  expect(other[0]?.text.length).toBeLessThan(3000)
})
