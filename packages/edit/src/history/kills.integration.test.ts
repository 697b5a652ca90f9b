import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { makeProject, page, textAt } from '../fixtures/project.ts'
import { openEdit } from '../index.ts'

const WRITER = fileURLToPath(new URL('../fixtures/killed-writer.mjs', import.meta.url))

const scene = (id: string) =>
  `<template><div data-composition-id="${id}" data-width="9" data-height="9"><p id="${id}-text">old</p></div></template>`

const files = {
  'index.html': page(`<p id="text">old</p>
<div data-composition-src="scenes/a.html" data-start="0" data-duration="1"></div>
<div data-composition-src="b.html" data-start="1" data-duration="1"></div>
<video id="v" src="old.mp4" data-start="0"></video>`),
  'scenes/a.html': scene('a'),
  'b.html': scene('b'),
  'old.mp4': '',
}

const take = mkdtempSync(join(tmpdir(), 'vid-take-'))
writeFileSync(join(take, 'take.mp4'), 'film')
afterAll(() => rmSync(take, { recursive: true }))
const operations = JSON.stringify([
  ...['#text', '#a-text', '#b-text'].map((target) => ({ op: 'text', target, text: 'new' })),
  { op: 'media', target: '#v', import: join(take, 'take.mp4') },
])

/** Kills a write before a step; returns whether it came to that step. */
const kill = (folder: string, step: number): boolean => {
  const { signal, status, stderr } = spawnSync(process.execPath, [WRITER, folder, String(step), operations], {
    encoding: 'utf8',
  })
  expect([signal ?? status, stderr]).toEqual([signal === null ? 0 : 'SIGKILL', ''])
  return signal !== null
}

/** What each file of a project holds: `old`, `new`, or that it is not there. */
const stateOf = async (folder: string) => {
  const texts = await Promise.all(
    ['index.html', 'scenes/a.html', 'b.html'].map(
      async (file) => (/>(old|new)</.exec(await textAt(folder, file)) ?? [])[1],
    ),
  )
  const assets: readonly string[] = await readdir(join(folder, 'assets')).catch(() => [])
  return [...texts, assets.includes('take.mp4') ? 'new' : 'old']
}

test('a write of four files that is killed at any step leaves the old files or the new ones', {
  timeout: 120_000,
}, async () => {
  const seen = new Set<string>()
  for (let step = 0; ; step += 1) {
    const folder = await makeProject(files)
    const isKilled = kill(folder, step)
    const mixed = new Set(await stateOf(folder))
    const edit = await openEdit(folder)
    const states = new Set(await stateOf(folder))
    expect([...states], `step ${step}`).toHaveLength(1)
    const [state = ''] = states
    seen.add(mixed.size > 1 ? `mixed, then ${state}` : state)
    const names = [...(await readdir(folder)), ...(await readdir(join(folder, 'scenes')))]
    expect(names.filter((name) => name.startsWith('.vid-edit'))).toEqual([])
    expect(await edit.log()).toHaveLength(state === 'new' ? 1 : 0)
    if (state === 'new') {
      await edit.undo({ kind: 'command', name: 'test' })
      expect(new Set(await stateOf(folder))).toEqual(new Set(['old']))
    }
    if (!isKilled) break
  }
  // Some kills fell between two files, so that there was something to finish.
  expect([...seen].sort()).toEqual(['mixed, then new', 'new', 'old'])
})

test('a killed write is taken back where another program has changed one of its files since', async () => {
  const folder = await makeProject(files)
  let step = 0
  while (new Set(await stateOf(folder)).size === 1) {
    await rm(join(folder, '.vid'), { recursive: true, force: true })
    expect(kill(folder, step), `step ${step}`).toBe(true)
    step += 1
  }
  const other = files['b.html'].replace('old', 'old</p><p>mine')
  await writeFile(join(folder, 'b.html'), other)
  await openEdit(folder)
  expect(await textAt(folder, 'b.html')).toBe(other)
  expect(new Set(await stateOf(folder))).toEqual(new Set(['old']))
})
