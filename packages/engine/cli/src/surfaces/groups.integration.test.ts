import { expect, test } from 'vitest'
import { makeFolder, vid } from '../fixtures/project.ts'

test('the help of a group lists its commands, and that of a command its flags', async () => {
  const folder = await makeFolder()
  const group = await vid(folder, 'cloud', '--help')
  expect([group.code, group.stderr]).toEqual([0, ''])
  for (const name of ['render', 'get', 'list', 'delete']) expect(group.stdout).toContain(`vid cloud ${name} `)
  const one = await vid(folder, 'auth', 'login', '--help')
  expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/--api-key[\s\S]*--browser/)])
})

test('a wrong word of a group, a flag and a missing id are errors that name the command', async () => {
  const folder = await makeFolder()
  const cases = [
    [['cloud'], 'VID_USAGE: "vid cloud" was called wrongly: one of its commands is missing: '],
    [['cloud', 'gett'], 'Did you mean "vid cloud get"'],
    [['cloud', 'get'], 'VID_USAGE: "vid cloud get" was called wrongly: it needs <render_id>.'],
    [['browser'], 'VID_USAGE: "vid browser" was called wrongly: one of its commands is missing: install.'],
    [
      ['cloud', 'accounts'],
      'VID_USAGE: "vid cloud accounts" was called wrongly: one of its commands is missing: create, list',
    ],
    [
      ['lambda', 'sites'],
      'VID_USAGE: "vid lambda sites" was called wrongly: one of its commands is missing: create, list',
    ],
    [['lambda', 'sites', 'lst'], 'Did you mean "vid lambda sites list"'],
    [['auth', 'status', '--jsn'], '"vid auth status" has no flag --jsn'],
  ] as const
  for (const [words, text] of cases) {
    const { code, stdout, stderr } = await vid(folder, ...words)
    expect([words, code, stdout, stderr]).toEqual([words, 2, '', expect.stringContaining(text)])
  }
})
