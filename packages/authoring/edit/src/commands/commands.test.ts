import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventProblems } from '@vid/protocol'
import { commandSuite, runInFolder } from '@vid/testkit'
import { expect, test } from 'vitest'
import { makeProject, page } from '../fixtures/project.ts'
import { operationSchemas } from '../operations/operation.ts'
import { editEvents } from './events.ts'
import commands from './index.ts'

for (const command of commands) commandSuite(command)

const html = page(`      <p id="title" data-start="1" data-duration="1">Hello</p>
      <p id="next" data-start="title + 0.5" data-duration="1">x</p>`)

const folderWith = (files = {}) => makeProject({ 'index.html': html, ...files })

const vid = (folder: string, name: string, ...words: string[]) => {
  const command = commands.find(({ path }) => path === `edit ${name}`)
  if (!command) throw new Error(`no command ${name}`)
  return runInFolder(command, folder, ...words)
}

const textOf = (folder: string, file = 'index.html') => readFile(join(folder, file), 'utf8')

test('there is a command for every operation', () => {
  const names = commands.flatMap(({ path }) => (path.startsWith('edit ') ? [path.replace('edit ', '')] : []))
  expect(names.sort()).toEqual([...Object.keys(operationSchemas), 'apply', 'log', 'redo', 'undo'].sort())
})

test('move writes the file, prints what changed, and says what moves along', async () => {
  const folder = await folderWith()
  const { code, stdout, stderr } = await vid(folder, 'move', '#title', '+0.5s')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '<p id="title"> starts at 1.5 instead of 1.\n' })
  expect(stderr).toContain('index.html:7  <p id="next"> moves along, from 2.5 s to 3 s.')
  expect(stderr).toContain('written as edit 1; vid edit undo takes it back')
  expect(await textOf(folder)).toBe(html.replace('data-start="1"', 'data-start="1.5"'))
})

test('a distance may be negative, before or after flags, and a time may be written in several ways', async () => {
  const folder = await folderWith()
  expect(await vid(folder, 'move', 'title', '-0.25s', '--quiet')).toMatchObject({ code: 0, stdout: '' })
  expect(await textOf(folder)).toContain('data-start="0.75"')
  await vid(folder, 'move', '--quiet', '#title', '-250ms')
  expect(await textOf(folder)).toContain('data-start="0.5"')
  await vid(folder, 'move', 'index.html:6', '0:02')
  expect(await textOf(folder)).toContain('id="title" data-start="2"')
  expect(await vid(folder, 'move', 'title', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"soon" is no time'),
  })
})

test('--dry-run prints the diff and writes nothing', async () => {
  const folder = await folderWith()
  const { code, stdout, stderr } = await vid(folder, 'text', '#title', 'Bye', '--dry-run')
  expect(code).toBe(0)
  expect(stdout).toContain(
    '-      <p id="title" data-start="1" data-duration="1">Hello</p>\n+      <p id="title" data-start="1" data-duration="1">Bye</p>',
  )
  expect(stderr).toContain('nothing is written')
  expect(await textOf(folder)).toBe(html)
})

test('--json is one event with the receipt, the diff and the entry', async () => {
  const folder = await folderWith()
  const { stdout } = await vid(folder, 'text', '#title', 'Bye', '--json', '--as', 'helper')
  const event: unknown = JSON.parse(stdout)
  expect(eventProblems(event, editEvents)).toEqual([])
  expect(event).toMatchObject({
    type: 'edit',
    entry: { id: 1, who: { kind: 'assistant', name: 'helper' } },
    files: [{ file: 'index.html' }],
  })
})

test('undo, redo and log go through the history', async () => {
  const folder = await folderWith()
  await vid(folder, 'text', '#title', 'Bye', '--as', 'helper')
  expect(await vid(folder, 'undo')).toMatchObject({ code: 0, stderr: 'undone; 0 to undo, 1 to redo\n' })
  expect(await textOf(folder)).toBe(html)
  const log = await vid(folder, 'log')
  expect(log.stdout).toMatch(
    /^1 {2}[\d-]+ [\d:]+ {2}assistant helper {2}index\.html, undone by command\n {4}The text of/,
  )
  expect(await vid(folder, 'redo')).toMatchObject({ code: 0 })
  expect(await textOf(folder)).toContain('>Bye<')
  for (const name of ['undo', 'redo', 'log']) {
    const { stdout } = await vid(folder, name, '--json')
    expect(eventProblems(JSON.parse(stdout), editEvents), name).toEqual([])
  }
  await vid(folder, 'undo')
  expect(await vid(folder, 'undo')).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to undo') })
})

test('apply makes the operations of a file, all or none', async () => {
  const operations = [
    { op: 'text', target: '#title', text: 'Bye' },
    { op: 'remove', target: '#next' },
  ]
  const folder = await folderWith({ 'edits.json': JSON.stringify({ operations }) })
  expect(await vid(folder, 'apply', 'edits.json')).toMatchObject({ code: 0 })
  expect(await textOf(folder)).not.toContain('id="next"')
  await writeFile(join(folder, 'edits.json'), JSON.stringify([operations[0], { op: 'remove', target: '#gone' }]))
  expect(await vid(folder, 'apply', 'edits.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('#gone') })
  for (const content of ['[]', '{', '{"a":1}']) {
    await writeFile(join(folder, 'edits.json'), content)
    expect(await vid(folder, 'apply', 'edits.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('VID_EDIT_FILE'),
    })
  }
})

test('media takes a file of the project by its path, and copies any other', async () => {
  const outside = await makeProject({ 'take.mp4': 'film' })
  const folder = await makeProject({
    'film/index.html': page('<video id="v" src="old.mp4" data-start="0"></video>'),
    'film/old.mp4': '',
    'film/clips/new.mp4': '',
  })
  await vid(folder, 'media', '#v', 'film/clips/new.mp4', '--dir', 'film')
  expect(await textOf(folder, 'film/index.html')).toContain('src="clips/new.mp4"')
  await vid(folder, 'media', '#v', join(outside, 'take.mp4'), '--dir', 'film')
  expect(await textOf(folder, 'film/index.html')).toContain('src="assets/take.mp4"')
  expect(await textOf(folder, 'film/assets/take.mp4')).toBe('film')
})

test('insert takes a file of the project, one from elsewhere, or a text, at a time', async () => {
  const outside = await makeProject({ 'take.mp4': '' })
  const folder = await folderWith({ 'clips/new.mp4': '\0' })
  const written = await vid(folder, 'insert', '2s', '--file', 'clips/new.mp4', '--duration', '1.5s', '--track', '2')
  expect(written).toMatchObject({ code: 0, stdout: '<video id="new"> is inserted at 2 s, on track 2.\n' })
  expect(await textOf(folder)).toContain('src="clips/new.mp4" data-start="2" data-duration="1.5" data-track-index="2"')
  await vid(
    folder,
    'insert',
    '0:01',
    '--file',
    join(outside, 'take.mp4'),
    '--kind',
    'audio',
    '--into',
    'title',
    '--place',
    'before',
  )
  expect(await textOf(folder)).toMatch(
    /<audio id="take" src="assets\/take\.mp4" data-start="1"[^>]*><\/audio>\n +<p id="title"/,
  )
  await vid(folder, 'insert', '500ms', '--text', 'Bye', '--id', 'bye')
  expect(await textOf(folder)).toMatch(/<div id="bye" data-start="0\.5"[^>]*>Bye<\/div>/)
  for (const words of [['1s'], ['1s', '--file', 'https://example.com/a.mp4'], ['1s', '--file', 'a.mp4', '--text', 'x']])
    expect(await vid(folder, 'insert', ...words)).toMatchObject({ code: 2 })
})

test('what is already so is not written, and has no entry', async () => {
  const folder = await folderWith()
  expect(await vid(folder, 'text', '#title', 'Hello')).toMatchObject({
    code: 0,
    stderr: 'nothing changes: the source is like this already\n',
  })
  expect((await vid(folder, 'log')).stderr).toBe('no edits yet\n')
})

test('control characters of a source do not reach the terminal', async () => {
  const folder = await makeProject({ 'index.html': page('<p id="t" data-start="0">a\u001b[31mb</p>') })
  const { stdout, stderr } = await vid(folder, 'text', '#t', 'c', '--dry-run')
  expect(stdout + stderr).toContain('a')
  expect(stdout + stderr).not.toContain('\u001b')
})
