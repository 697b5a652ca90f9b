import { expect, test } from 'vitest'
import { assistants } from './assistants.ts'
import { changeSettings } from './settings-text.ts'

const formOf = (name: string) => {
  const assistant = assistants.find((each) => each.name === name)
  if (!assistant) throw new Error(`there is no ${name}`)
  return assistant.form
}

const changed = (text: string, name: string): string => {
  const change = changeSettings(text, formOf(name))
  if (change.kind !== 'change') throw new Error(`it is ${change.kind}`)
  return change.text
}

test.each([
  ['comments, tabs and a trailing comma', '{\n\t// mine\n\t"servers": { "other": { "command": "x" }, },\n}\n'],
  ['a comment behind the last entry', '{\n  "servers": {\n    "other": { "command": "x" } // why, of course\n  }\n}\n'],
  ['line ends of Windows and a mark', '\ufeff{\r\n  "servers": {\r\n    "other": {}\r\n  }\r\n}\r\n'],
  ['one line', '{"servers":{"other":{}}}'],
  ['no servers', '{\n    "inputs": [1,  2]\n}\n'],
  ['empty servers', '{ "servers": {} /* none yet */ }'],
  ['a comma before a comment', '{"servers": {"other": {}, // last\n}}'],
])('settings with %s keep every byte of a person, and get the server once', (_, before) => {
  const after = changed(before, 'vscode')
  const letters = [...after]
  // What was there is there still, in its order: the new text is only added to it.
  for (const letter of before) expect(letters.splice(0, letters.indexOf(letter) + 1)).toContain(letter)
  expect(after).toContain('"mcp"')
  expect(changeSettings(after, formOf('vscode'))).toEqual({ kind: 'same' })
})

test.each(assistants.map(({ name }) => [name]))('the settings of %s are made where there are none', (name) => {
  const after = changed('', name)
  expect(after).toMatch(/npx/)
  expect(changeSettings(after, formOf(name))).toEqual({ kind: 'same' })
})

test('an entry that a person wrote is kept', () => {
  const json = '{"mcpServers":{"vid":{"command":"node","args":["mine.js"]}}}'
  expect(changeSettings(json, formOf('cursor'))).toMatchObject({ kind: 'keep' })
  expect(changeSettings('[mcp_servers.vid]\ncommand = "mine"\n', formOf('codex'))).toMatchObject({ kind: 'keep' })
})

test('a table of TOML is added behind what is there', () => {
  expect(changed('model = "x" # mine\n', 'codex')).toBe(
    'model = "x" # mine\n\n[mcp_servers.vid]\ncommand = "npx"\nargs = ["vid", "mcp"]\n',
  )
})

test.each([['[1]'], ['{"mcpServers": 3}'], ['{"mcpServers": {']])(
  'settings that are no object of servers stay: %s',
  (text) => {
    expect(changeSettings(text, formOf('cursor'))).toMatchObject({ kind: 'broken' })
  },
)
