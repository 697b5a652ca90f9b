import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventProblems } from '@vid/protocol'
import { createRenderer, type Renderer } from '@vid/render'
import { wavOf } from '@vid/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { analysisEvents } from '../events.ts'
import { makeProject, TWO_SCENES } from '../fixtures/projects.ts'
import { findSides } from '../sides/find-sides.ts'
import type { DiffReport } from './diff-schema.ts'
import { diffSides } from './diff-sides.ts'

let renderer: Renderer
beforeAll(async () => {
  renderer = await createRenderer({ cwd: tmpdir() })
})
afterAll(() => renderer.close())

const { signal } = new AbortController()

/** Compares what two words name, from a folder. */
const diff = async (cwd: string, one: string, other?: string): Promise<DiffReport> => {
  const scratch = await makeProject({})
  const sides = await findSides(one, other, { cwd, scratch, signal })
  // Ten pictures of each scene are enough to compare.
  const settings = { sides, composition: { fps: 10 }, width: 1568, exitCode: true, scratch, env: process.env }
  const result = await diffSides(renderer, settings, { signal })
  expect(eventProblems({ type: 'diff', ...result }, analysisEvents)).toEqual([])
  return result
}

const both = async (before: string, after: string, files: Parameters<typeof makeProject>[0] = {}) =>
  diff(await makeProject({ 'a/index.html': before, 'b/index.html': after, ...files }), 'a', 'b')

test('compositions that differ in comments are proven equal without capturing anything', async () => {
  const commented = TWO_SCENES.replace('<section id="two"', '<!-- the second -->\n<section id="two"')
  expect(await both(TWO_SCENES, commented)).toMatchObject({
    frames: 20,
    differing: 0,
    compared: 0,
    intervals: [],
    sound: [],
    exitCode: 0,
    reason: 'proven by the text of both sides, without capturing anything',
  })
})

test('a changed word is found in its scene, which alone is captured, with its element', async () => {
  const result = await both(TWO_SCENES, TWO_SCENES.replace('first', 'second'))
  expect(result).toMatchObject({ frames: 20, differing: 10, compared: 11, exitCode: 1 })
  expect(result.intervals).toMatchObject([{ start: 10, end: 20, from: 1, until: 2, elements: ['#text'] }])
  const { box, psnr, changed } = result.intervals[0] ?? { box: undefined, psnr: 0, changed: 0 }
  expect(box?.y).toBeLessThan(40)
  expect(box && box.x + box.width).toBeLessThan(130)
  expect(psnr).toBeGreaterThan(10)
  expect(changed).toBeLessThan(0.1)
})

test('what no text proves is captured whole: a style, another file, a page with state', async () => {
  const style = await both(TWO_SCENES, TWO_SCENES.replace('color: #fff', 'color: #ff0'))
  expect(style).toMatchObject({ compared: 20, differing: 10, intervals: [{ start: 10, end: 20, elements: ['#text'] }] })
  const linked = TWO_SCENES.replace('<style>', '<link rel="stylesheet" href="more.css"><style>')
  const file = await both(linked, linked, { 'a/more.css': '', 'b/more.css': '#dot { left: 190px !important }' })
  expect(file).toMatchObject({
    compared: 20,
    intervals: [{ start: 0, end: 10, elements: ['#dot'], box: { x: 190, y: 100, width: 30, height: 20 } }],
  })
  expect(file.reason).toContain('more.css')
})

longTest('what changes a sound is reported: its source, a level, a loudness of the project', async () => {
  const tone = (hertz: number) => wavOf((seconds) => 0.1 * Math.sin(2 * Math.PI * hertz * seconds), { seconds: 2 })
  const composition = TWO_SCENES.replace('<section id="one"', '<audio src="tone.wav" data-start="0"></audio>$&')
  const sounds = { 'a/tone.wav': tone(400), 'b/tone.wav': tone(400) }
  expect((await both(composition, composition, sounds)).sound).toEqual([])
  const audible = { from: 0, until: 2, before: -23 }
  const level = await both(composition, composition.replace('data-start="0"', '$& data-volume="0.5"'), sounds)
  expect(level).toMatchObject({ differing: 0, exitCode: 1, sound: [{ ...audible, after: -29 }] })
  const source = await both(composition, composition, { ...sounds, 'b/tone.wav': tone(600) })
  expect(source.sound).toMatchObject([{ ...audible, after: -23 }])
  const config = (loudness: number | string) => `export default { render: { loudness: ${JSON.stringify(loudness)} } }`
  const configs = { ...sounds, 'a/vid.config.mjs': config('off'), 'b/vid.config.mjs': config(-14) }
  const { sound } = await both(composition, composition, configs)
  expect(sound).toMatchObject([audible])
  expect(sound[0]?.after).toBeCloseTo(-16.3, 0)
})

test('another length and another size are differences', async () => {
  const longer = await both(TWO_SCENES, TWO_SCENES.replace('data-duration="2"', 'data-duration="2.5"'))
  expect(longer).toMatchObject({ frames: 25, differing: 5, compared: 20 })
  const larger = await both(TWO_SCENES, TWO_SCENES.replace('data-width="320"', 'data-width="322"'))
  expect(larger).toMatchObject({ differing: 20, problem: 'the size changed from 320x180 to 322x180' })
})

test('revisions are read from git, and nothing is checked out', async () => {
  const cwd = await makeProject({ 'film/index.html': TWO_SCENES, other: 'x' })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, encoding: 'utf8' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'one')
  git('tag', 'v1')
  await writeFile(join(cwd, 'film/index.html'), TWO_SCENES.replace('first', 'second'))
  const folder = join(cwd, 'film')
  expect(await diff(cwd, 'HEAD', 'film')).toMatchObject({ differing: 10, before: 'film at HEAD', after: 'film' })
  expect(await diff(folder, 'HEAD')).toMatchObject({ differing: 10, after: '.' })
  expect(git('status', '--short')).toBe(' M film/index.html\n')
  git('commit', '-qam', 'two')
  expect(await diff(cwd, 'v1..HEAD', 'film')).toMatchObject({
    differing: 10,
    before: 'film at v1',
    after: 'film at HEAD',
  })
  expect(await diff(cwd, 'film')).toMatchObject({ differing: 0, compared: 0 })
  await expect(diff(folder, 'v9')).rejects.toMatchObject({ code: 'VID_DIFF_REVISION', fault: 'caller' })
  await expect(diff(cwd, 'film', 'other')).rejects.toMatchObject({ code: 'VID_DIFF_KINDS' })
})

test('finished videos are compared frame by frame', async () => {
  const cwd = await makeProject({ 'a/index.html': TWO_SCENES, 'b/index.html': TWO_SCENES.replace('#0f0', '#ff0') })
  for (const name of ['a', 'b'])
    await renderer.render({ projectDir: join(cwd, name), output: join(cwd, `${name}.mov`), fps: 10, cache: false })
  const result = await diff(cwd, 'a.mov', 'b.mov')
  expect(result).toMatchObject({ frames: 20, compared: 20, differing: 10, intervals: [{ start: 0, end: 10 }] })
  expect(await diff(cwd, 'a.mov', 'a.mov')).toMatchObject({ differing: 0, exitCode: 0 })
})
