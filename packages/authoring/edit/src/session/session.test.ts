import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProject, page, TESTER, textAt, writeEdit } from '../fixtures/project.ts'
import { openEdit } from '../index.ts'

const html = page(`      <p id="a" data-start="0" data-duration="1">a</p>
      <p>between</p>
      <p>between</p>
      <p>between</p>
      <p id="b" data-start="1" data-duration="1">b</p>`)

const move = (target: string, by = 0.5) => ({ op: 'move', target, by })
const text = (target: string, value: string) => ({ op: 'text', target, text: value })
const helper = { kind: 'assistant', name: 'helper' } as const

test('nothing is written before write, and then every staged call at once with one entry', async () => {
  const folder = await makeProject({ 'index.html': html })
  const edit = await openEdit(folder)
  await edit.stage([move('#a')], { who: TESTER })
  await edit.stage([text('#b', 'B')], { who: helper })
  expect(await textAt(folder, 'index.html')).toBe(html)
  expect(await readdir(folder)).toEqual(['index.html'])
  expect(
    edit
      .diff()
      .split('\n')
      .filter((line) => /^[+-] /.test(line)),
  ).toHaveLength(4)
  expect(edit.steps()).toHaveLength(2)
  const entry = await edit.write()
  expect(entry).toMatchObject({
    id: 1,
    // A person has a part in it: it is no entry of the assistant alone.
    who: TESTER,
    summary: [expect.any(String), 'The text of <p id="b"> is "B" instead of "b".'],
  })
  expect(await textAt(folder, 'index.html')).toContain('data-start="0.5" data-duration="1">a</p>')
  expect([edit.diff(), edit.steps()]).toEqual(['', []])
  expect((await readdir(folder)).sort()).toEqual(['.vid', 'index.html'])
  await edit.stage([move('#a')], { who: helper })
  expect(await edit.write()).toMatchObject({ id: 2, who: helper })
})

test('discard drops the last calls, or all of them; preview stages nothing', async () => {
  const folder = await makeProject({ 'index.html': html })
  const edit = await openEdit(folder)
  await edit.stage([text('#a', 'A')], { who: TESTER })
  const seen = await edit.preview([text('#b', 'B')])
  expect(seen.diff).toContain('+      <p id="b" data-start="1" data-duration="1">B</p>')
  expect(seen.diff).not.toContain('>A</p>\n+')
  await edit.stage([text('#b', 'B')], { who: TESTER })
  edit.discard(1)
  expect(edit.diff()).toContain('>A<')
  expect(edit.diff()).not.toContain('>B<')
  edit.discard()
  expect(edit.files().size).toBe(0)
  await expect(edit.write()).rejects.toMatchObject({ code: 'VID_EDIT_NOTHING' })
})

test('operations of one call are all staged or none', async () => {
  const edit = await openEdit(await makeProject({ 'index.html': html }))
  await expect(edit.stage([text('#a', 'A'), text('#gone', 'x')], { who: TESTER })).rejects.toThrow('#gone')
  expect(edit.diff()).toBe('')
})

test('two clips change tracks in one call, which neither could alone', async () => {
  const clip = (id: string, track: number) =>
    `<p id="${id}" data-start="0" data-duration="1" data-track-index="${track}">x</p>`
  const edit = await openEdit(await makeProject({ 'index.html': page(`${clip('x', 1)}${clip('y', 2)}`) }))
  const track = (target: string, number: number) => ({ op: 'track', target, track: number })
  await expect(edit.stage([track('#x', 2)], { who: TESTER })).rejects.toMatchObject({ code: 'VID_EDIT_INVALID' })
  await edit.stage([track('#x', 2), track('#y', 1)], { who: TESTER })
  expect(edit.diff()).toContain('id="x" data-start="0" data-duration="1" data-track-index="2"')
})

test('undo and redo go through all writers and restarts, and the log says who did what', async () => {
  const folder = await makeProject({ 'index.html': html })
  await writeEdit(folder, [text('#a', 'A')])
  await writeEdit(folder, [text('#b', 'B')], helper as never)
  const both = await textAt(folder, 'index.html')
  const edit = await openEdit(folder)
  expect(await edit.undo(TESTER)).toMatchObject({ id: 2, who: helper, undone: TESTER })
  expect(await textAt(folder, 'index.html')).toBe(html.replace('>a<', '>A<'))
  await (await openEdit(folder)).undo(helper)
  expect(await textAt(folder, 'index.html')).toBe(html)
  expect(await edit.position()).toEqual({ undoable: 0, redoable: 2 })
  await expect(edit.undo(TESTER)).rejects.toMatchObject({ code: 'VID_EDIT_NOTHING' })
  await edit.redo(TESTER)
  await edit.redo(TESTER)
  expect(await textAt(folder, 'index.html')).toBe(both)
  expect((await edit.log()).map(({ id, who, undone }) => [id, who.name, undone])).toEqual([
    [2, 'helper', null],
    [1, 'test', null],
  ])
})

test('an edit after an undo drops what could be made again', async () => {
  const folder = await makeProject({ 'index.html': html })
  const edit = await writeEdit(folder, [text('#a', 'A')])
  await edit.undo(TESTER)
  await writeEdit(folder, [text('#a', 'Z')])
  expect(await edit.position()).toEqual({ undoable: 1, redoable: 0 })
})

test('a file that another program changed elsewhere keeps both changes, also when it is undone', async () => {
  const folder = await makeProject({ 'index.html': html })
  const edit = await openEdit(folder)
  await edit.stage([text('#b', 'B')], { who: TESTER })
  await writeFile(join(folder, 'index.html'), html.replace('>a<', '>other<').replace('<head>', '<head>\n<!-- new -->'))
  await edit.write()
  const both = await textAt(folder, 'index.html')
  expect(both).toContain('>other<')
  expect(both).toContain('>B<')
  await writeFile(join(folder, 'index.html'), both.replace('>other<', '>again<'))
  await edit.undo(TESTER)
  expect(await textAt(folder, 'index.html')).toBe(both.replace('>other<', '>again<').replace('>B<', '>b<'))
})

test('a file that another program changed at the same place is refused and stays as it is', async () => {
  const folder = await makeProject({ 'index.html': html })
  const edit = await openEdit(folder)
  await edit.stage([text('#b', 'B')], { who: TESTER })
  const other = html.replace('>b<', '>mine<')
  await writeFile(join(folder, 'index.html'), other)
  await expect(edit.write()).rejects.toMatchObject({
    code: 'VID_EDIT_CONFLICT',
    message: expect.stringContaining('index.html:10'),
  })
  await expect(edit.refresh()).rejects.toMatchObject({ code: 'VID_EDIT_CONFLICT' })
  expect(edit.steps()).toHaveLength(1)
  expect(await textAt(folder, 'index.html')).toBe(other)
  edit.discard()
  await edit.refresh()
  await edit.stage([text('#b', 'B')], { who: TESTER })
  expect(edit.diff()).toContain('>mine<')
})

test('a merge that would break the composition is refused', async () => {
  const folder = await makeProject({ 'index.html': html })
  const edit = await openEdit(folder)
  await edit.stage([{ op: 'set', target: '#b', name: 'data-start', value: 'a + 1' }], { who: TESTER })
  await writeFile(join(folder, 'index.html'), html.replace('<p id="a"', '<p id="z"'))
  await expect(edit.write()).rejects.toMatchObject({ code: 'VID_EDIT_INVALID' })
})

test('refresh keeps what is staged on a text that changed elsewhere', async () => {
  const folder = await makeProject({ 'index.html': html })
  const edit = await openEdit(folder)
  await edit.stage([text('#b', 'B')], { who: TESTER })
  await writeFile(join(folder, 'index.html'), html.replace('>a<', '>other<'))
  await edit.refresh()
  expect(
    edit
      .diff()
      .split('\n')
      .filter((line) => /^[+-] /.test(line)),
  ).toEqual([
    '-      <p id="b" data-start="1" data-duration="1">b</p>',
    '+      <p id="b" data-start="1" data-duration="1">B</p>',
  ])
  expect(new TextDecoder().decode((edit.files().get('index.html') as { bytes: Uint8Array }).bytes)).toContain('>other<')
})

test('an imported file comes with the edit and goes with its undo', async () => {
  const source = await makeProject({ 'take.mp4': 'film' })
  const folder = await makeProject({
    'index.html': page('<video id="v" src="old.mp4" data-start="0"></video>'),
    'old.mp4': '',
  })
  const edit = await writeEdit(folder, [{ op: 'media', target: '#v', import: join(source, 'take.mp4') }])
  expect(await textAt(folder, 'assets/take.mp4')).toBe('film')
  await edit.undo(TESTER)
  expect(await readdir(join(folder, 'assets'))).toEqual([])
  await rm(join(source, 'take.mp4'))
  await edit.redo(TESTER)
  expect(await textAt(folder, 'assets/take.mp4')).toBe('film')
  await writeFile(join(folder, 'assets/take.mp4'), 'newer')
  await expect(edit.undo(TESTER)).rejects.toMatchObject({ code: 'VID_EDIT_CONFLICT' })
  expect(await textAt(folder, 'index.html')).toContain('assets/take.mp4')
})

test('the mode of a file stays, and a link in the project stays a link', async () => {
  const folder = await makeProject({ 'real.html': html })
  await symlink('real.html', join(folder, 'index.html'))
  await chmod(join(folder, 'real.html'), 0o640)
  await writeEdit(folder, [text('#a', 'A')])
  expect((await stat(join(folder, 'real.html'))).mode & 0o777).toBe(0o640)
  expect(await textAt(folder, 'real.html')).toContain('>A<')
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('>A<')
})

const embedding = page('<div data-composition-src="scene.html" data-start="0" data-duration="1"></div>')
const scene = '<template><div data-composition-id="s" data-width="9" data-height="9"><p id="x">x</p></div></template>'

test.each([
  [
    'a link out of the project',
    (folder: string, outside: string) => symlink(join(outside, 'scene.html'), join(folder, 'scene.html')),
  ],
  [
    'a folder that is a link',
    async (folder: string, outside: string) => {
      await symlink(outside, join(folder, 'out'))
      await writeFile(join(folder, 'index.html'), embedding.replace('scene.html', 'out/scene.html'))
    },
  ],
  [
    'a path out of the project',
    (folder: string, outside: string) =>
      writeFile(
        join(folder, 'index.html'),
        embedding.replace('scene.html', `../${outside.split('/').at(-1)}/scene.html`),
      ),
  ],
  [
    'a hidden file',
    async (folder: string) => {
      await mkdir(join(folder, '.git'))
      await writeFile(join(folder, '.git/scene.html'), scene)
      await writeFile(join(folder, 'index.html'), embedding.replace('scene.html', '.git/scene.html'))
    },
  ],
  ['a pipe', async (folder: string) => void execFileSync('mkfifo', [join(folder, 'scene.html')])],
])('%s is never edited', async (_, prepare) => {
  const outside = await makeProject({ 'scene.html': scene })
  const folder = await makeProject({ 'index.html': embedding })
  await prepare(folder, outside)
  const edit = await openEdit(folder)
  await expect(edit.stage([text('#x', 'y')], { who: TESTER })).rejects.toMatchObject({ code: 'VID_EDIT_NOT_FOUND' })
  expect(await textAt(outside, 'scene.html')).toBe(scene)
})

test('a file that becomes a link between staging and writing is not written through it', async () => {
  const outside = await makeProject({ 'index.html': html })
  const folder = await makeProject({ 'index.html': html })
  const edit = await openEdit(folder)
  await edit.stage([text('#a', 'A')], { who: TESTER })
  await rm(join(folder, 'index.html'))
  await symlink(join(outside, 'index.html'), join(folder, 'index.html'))
  await expect(edit.write()).rejects.toMatchObject({ code: 'VID_EDIT_PATH' })
  expect(await textAt(outside, 'index.html')).toBe(html)
})

test('a file with a second name outside keeps that one as it was', async () => {
  const outside = await makeProject({ 'index.html': html })
  const folder = await makeProject({ 'other.txt': '' })
  await link(join(outside, 'index.html'), join(folder, 'index.html'))
  await writeEdit(folder, [text('#a', 'A')])
  expect(await textAt(outside, 'index.html')).toBe(html)
})

test('files of installed packages are not edited', async () => {
  const folder = await makeProject({
    'index.html': embedding.replace('scene.html', 'node_modules/p/scene.html'),
    'node_modules/p/scene.html': scene,
  })
  const edit = await openEdit(folder)
  await expect(edit.stage([text('#x', 'y')], { who: TESTER })).rejects.toMatchObject({
    code: 'VID_EDIT_PATH',
    message: expect.stringContaining('installed package'),
  })
})

test.each(['.vid', '.vid/history', '.vid/history/blobs'])(
  'a history whose folder %s is a link is refused',
  async (place) => {
    const outside = await makeProject({ 'a.txt': '' })
    const folder = await makeProject({ 'index.html': html })
    await mkdir(join(folder, place, '..'), { recursive: true })
    await symlink(outside, join(folder, place))
    await expect(writeEdit(folder, [text('#a', 'A')])).rejects.toMatchObject({ code: 'VID_EDIT_PATH' })
    expect(await readdir(outside)).toEqual(['a.txt'])
    expect(await textAt(folder, 'index.html')).toBe(html)
  },
)

test.each(['.hidden.mp4', 'con.mp4', 'a\\b.mp4', 'end.'])('a file named %s is not imported', async (name) => {
  const source = await makeProject({ [name]: 'x' })
  const edit = await openEdit(
    await makeProject({ 'index.html': page('<video id="v" src="o.mp4" data-start="0"></video>'), 'o.mp4': '' }),
  )
  const stage = edit.stage([{ op: 'media', target: '#v', import: join(source, name) }], { who: TESTER })
  await expect(stage).rejects.toMatchObject({ code: 'VID_EDIT_PATH' })
})

test('a device or a pipe is not imported, and not waited for', async () => {
  const source = await makeProject({ 'a.txt': '' })
  execFileSync('mkfifo', [join(source, 'pipe.mp4')])
  const edit = await openEdit(
    await makeProject({ 'index.html': page('<video id="v" src="o.mp4" data-start="0"></video>'), 'o.mp4': '' }),
  )
  for (const path of [join(source, 'pipe.mp4'), '/dev/zero', source])
    await expect(edit.stage([{ op: 'media', target: '#v', import: path }], { who: TESTER })).rejects.toMatchObject({
      code: 'VID_EDIT_PATH',
    })
})

test('a journal that a project brings cannot write anywhere else', async () => {
  const outside = await makeProject({ 'victim.html': 'safe' })
  const folder = await makeProject({ 'index.html': html })
  const digest = 'a'.repeat(64)
  const aside = `.vid-edit-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`
  await writeFile(join(outside, aside), 'evil')
  const entry = { id: 1, writtenMs: 0, who: TESTER, summary: [], operations: [], files: [], undone: null }
  await mkdir(join(folder, '.vid/history'), { recursive: true })
  for (const file of [`../${outside.split('/').at(-1)}/victim.html`, `${outside}/victim.html`, '.git/config']) {
    const files = [{ file, aside, before: null, after: digest }]
    const journal = { state: 'commit', files, entry, head: { done: [1], undone: [], next: 2 } }
    await writeFile(join(folder, '.vid/history/journal.json'), JSON.stringify(journal))
    await openEdit(folder)
    expect(await textAt(outside, 'victim.html')).toBe('safe')
    expect(await readdir(join(folder, '.vid/history'))).not.toContain('journal.json')
  }
})

test('an address is followed through what is staged and taken back, and not to an element that is another', async () => {
  const edit = await openEdit(await makeProject({ 'index.html': html }))
  const second = (await edit.inspect({ file: 'index.html', path: 'html/body/div/p[3]' })).address
  expect(await edit.follow(second)).toEqual(second)
  await edit.stage([{ op: 'remove', target: '#a' }], { who: TESTER })
  const moved = await edit.follow(second)
  expect(moved.path).toBe('html/body/div/p[2]')
  await edit.stage([{ op: 'text', target: moved, text: 'followed' }], { who: TESTER })
  expect((await edit.inspect(await edit.follow(second))).text.value).toBe('followed')
  const renamed = await edit.follow(moved)
  edit.discard()
  expect(await edit.follow(renamed)).toEqual(second)
  await edit.stage([{ op: 'remove', target: second }], { who: TESTER })
  expect(await edit.follow(second)).toEqual(second)
  await expect(edit.inspect(await edit.follow(second))).rejects.toMatchObject({ code: 'VID_EDIT_STALE' })
})
