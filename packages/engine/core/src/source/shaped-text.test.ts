import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compileEntry, loadComposition, readDeclaredShapes } from '../index.ts'

const root = (more: string, content = '') =>
  `<!doctype html>\n<body><div id="root" data-composition-id="main" data-width="640" data-height="360" data-duration="1" ${more}>${content}</div></body>`

const makeProject = async (files: Readonly<Record<string, string>>) => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-shapes-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test('a composition in a shape has its size, and says the shape; the digest is that of the text', async () => {
  const folder = await makeProject({ 'index.html': root('class="x"') })
  const plain = await loadComposition(folder, 'index.html')
  const tall = await loadComposition(folder, 'index.html', { shape: '9:16' })
  expect(tall.composition).toMatchObject({ width: 360, height: 640, duration: 1 })
  expect(tall.html).toContain('data-width="360" data-height="640" data-duration="1" class="x" data-shape="9:16"')
  const wide = await loadComposition(folder, 'index.html', { shape: '16:9' })
  expect(wide.composition).toMatchObject({ width: 640, height: 360 })
  expect(new Set([plain, tall, wide].map(({ digest }) => digest)).size).toBe(3)
})

test('a requested shape replaces one that is written on the root', async () => {
  const folder = await makeProject({ 'index.html': root(`data-shape='16:9'`) })
  expect((await loadComposition(folder, 'index.html', { shape: '1:1' })).html).toContain(`data-shape='1:1'`)
})

test('a shape that the root does not declare is refused with the declared ones', async () => {
  const folder = await makeProject({ 'index.html': root('data-shapes="16:9, 1:1"') })
  expect(await readDeclaredShapes(folder, 'index.html', new AbortController().signal)).toEqual(['16:9', '1:1'])
  await expect(loadComposition(folder, 'index.html', { shape: '1:1' })).resolves.toBeDefined()
  await expect(loadComposition(folder, 'index.html', { shape: '9:16' })).rejects.toMatchObject({
    code: 'VID_SHAPE_UNDECLARED',
    fault: 'caller',
    message: expect.stringContaining('declares 16:9, 1:1'),
  })
})

test('a declaration of something else is refused, and none declares nothing', async () => {
  const folder = await makeProject({ 'index.html': root('data-shapes="tall"'), 'open.html': root('') })
  await expect(loadComposition(folder, 'index.html', { shape: '9:16' })).rejects.toMatchObject({
    code: 'VID_SHAPES_DECLARED',
    message: expect.stringContaining('"tall"'),
  })
  expect(await readDeclaredShapes(folder, 'open.html', new AbortController().signal)).toEqual([])
})

test('a shape of too many pixels is refused', async () => {
  const folder = await makeProject({ 'index.html': root('').replace('640', '6400').replace('360', '3600') })
  await expect(loadComposition(folder, 'index.html', { shape: '100:1' })).rejects.toMatchObject({
    code: 'VID_SHAPE_UNFIT',
    message: expect.stringContaining('360000x3600'),
  })
})

test('the roots of embedded files say the shape too, so that their styles find it', async () => {
  const part =
    '<template><div class="part" data-composition-id="part" data-width="100" data-height="100"></div></template>'
  const host = '<div data-composition-id="part" data-composition-src="part.html" data-start="0"></div>'
  const folder = await makeProject({ 'index.html': root('', host), 'part.html': part })
  const { html } = await compileEntry(folder, 'index.html', { shape: '9:16' })
  expect(html.match(/data-shape="9:16"/g)).toHaveLength(2)
  expect(html).toMatch(/class="part"[^>]* data-shape="9:16"/)
  expect((await compileEntry(folder, 'index.html')).html).not.toContain('data-shape')
})
