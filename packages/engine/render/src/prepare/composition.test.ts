import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lintRemote } from '../lint/lint-remote.ts'
import { readComposition } from './composition.ts'

const declarations = `[{"id":"count","type":"number","label":"Count","default":1,"max":10}]`

const makeProject = async (attributes: string, style = '') => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-composition-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html data-composition-variables='${declarations}'><style>${style}</style><body>
<div data-composition-id="main" data-width="16" data-height="9" ${attributes}></div></body></html>`,
  )
  return folder
}
const { signal } = new AbortController()
const read = (projectDir: string) =>
  readComposition({ projectDir, entry: 'index.html', variables: {}, strictVariables: false }, { cwd: '/', signal })

test('the frames of a composition are those of a render, in the range that is asked for', async () => {
  const { framesOf } = await read(await makeProject('data-duration="2"'))
  expect(framesOf({ fps: 30 })).toBe(60)
  expect(framesOf({ fps: '30000/1001' })).toBe(60)
  expect(framesOf({ fps: 30, from: '0.5s', to: '50%' })).toBe(15)
  expect(() => framesOf({ fps: 30, from: '3s' })).toThrow(expect.objectContaining({ code: 'VID_RANGE_UNFIT' }))
  const unknown = await read(await makeProject(''))
  expect(unknown.framesOf({ fps: 30 })).toBeNull()
})

test('other values are checked against the same declarations', async () => {
  const { warnings, warningsOf } = await read(await makeProject('data-duration="1"'))
  expect([warnings, warningsOf({ count: 2 })]).toEqual([[], []])
  expect(warningsOf({ count: 11, other: 1 }).map(({ code }) => code)).toHaveLength(2)
})

test('lint of a composition that is rendered elsewhere knows which formats keep alpha', async () => {
  const projectDir = await makeProject('data-duration="1"', 'body { background: red }')
  const codes = async (format: string) =>
    (await lintRemote({ projectDir, entry: 'index.html', format }, signal)).map(({ code }) => code)
  const opaque = await codes('mp4')
  const alpha = await codes('webm')
  expect(alpha.filter((code) => !opaque.includes(code))).toHaveLength(1)
})
