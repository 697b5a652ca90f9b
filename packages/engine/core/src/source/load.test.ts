import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadComposition } from '../index.ts'

const html = '<div data-composition-id="main" data-width="64" data-height="32" data-duration="1">é</div>'
let dir: string

beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'vid-core-'))
  dir = join(parent, 'project')
  await mkdir(join(dir, 'scenes'), { recursive: true })
  await writeFile(join(parent, 'secret.html'), html)
  await writeFile(join(dir, 'intro.html'), html)
  await writeFile(join(dir, 'scenes/outro.html'), `\ufeff${html}`)
  await mkdir(join(dir, '.draft'))
  await writeFile(join(dir, '.draft/intro.html'), html)
  await writeFile(join(dir, 'empty.html'), ' \n')
  await writeFile(join(dir, 'plain.html'), 'no markup here')
  await writeFile(join(dir, 'binary.html'), new Uint8Array([0x3c, 0x61, 0, 1]))
  await writeFile(join(dir, 'huge.html'), '')
  await truncate(join(dir, 'huge.html'), 2 ** 30)
  await symlink(join(parent, 'secret.html'), join(dir, 'leak.html'))
  await symlink(join(dir, 'intro.html'), join(dir, 'alias.html'))
})
afterAll(() => rm(join(dir, '..'), { recursive: true }))

it('reads an entry file with the digest of its bytes', async () => {
  const digest = createHash('sha256').update(html).digest('hex')
  expect(await loadComposition(dir, 'intro.html')).toMatchObject({
    digest,
    html,
    composition: { file: 'intro.html', id: 'main', duration: 1 },
  })
})

it('reads an entry in a subfolder, without its byte order mark', async () => {
  const loaded = await loadComposition(dir, './scenes/outro.html')
  expect(loaded).toMatchObject({ html, composition: { file: 'scenes/outro.html' } })
})

it('follows a link that stays inside the project', async () => {
  expect((await loadComposition(dir, 'alias.html')).composition.file).toBe('alias.html')
})

it.each([
  ['leak.html', 'VID_ENTRY_OUTSIDE'],
  ['../secret.html', 'VID_ENTRY_OUTSIDE'],
  ['.draft/intro.html', 'VID_ENTRY_HIDDEN'],
  ['scenes', 'VID_ENTRY_UNREADABLE'],
  ['empty.html', 'VID_ENTRY_EMPTY'],
  ['plain.html', 'VID_ENTRY_NOT_HTML'],
  ['binary.html', 'VID_ENTRY_NOT_HTML'],
  ['huge.html', 'VID_ENTRY_TOO_LARGE'],
])('rejects the entry %s with %s', async (entry, code) => {
  await expect(loadComposition(dir, entry)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(entry),
  })
})

it('rejects an entry with a backslash in its name', async () => {
  await writeFile(join(dir, 'a\\b.html'), html)
  await expect(loadComposition(dir, 'a\\b.html')).rejects.toMatchObject({ code: 'VID_ENTRY_NAME' })
})

it('lists the compositions of the folder when the entry file is missing', async () => {
  await expect(loadComposition(dir, 'index.html')).rejects.toMatchObject({
    code: 'VID_ENTRY_MISSING',
    fault: 'caller',
    hint: expect.stringContaining('"intro.html"'),
  })
})

it('names the folders below that have a composition when the entry file is missing', async () => {
  const above = await mkdtemp(join(tmpdir(), 'vid-core-above-'))
  try {
    const hintOf = () => loadComposition(above, 'index.html').catch(({ hint }) => hint)
    expect(await hintOf()).toContain('vid init')
    await mkdir(join(above, 'my film'))
    await writeFile(join(above, 'my film/index.html'), '<p>')
    expect(await hintOf()).toContain('one is in "my film"')
  } finally {
    await rm(above, { recursive: true })
  }
})

it('reports a project folder that is missing or is a file', async () => {
  const missing = join(dir, 'nowhere')
  await expect(loadComposition(missing, 'index.html')).rejects.toMatchObject({
    code: 'VID_PROJECT_MISSING',
    message: expect.stringContaining(missing),
  })
  await expect(loadComposition(join(dir, 'intro.html'), 'index.html')).rejects.toMatchObject({
    code: 'VID_PROJECT_MISSING',
    message: expect.stringContaining('is a file'),
  })
})

it('stops reading when aborted', async () => {
  const signal = AbortSignal.abort(new Error('stopped'))
  await expect(loadComposition(dir, 'intro.html', { signal })).rejects.toThrow('stopped')
})
