import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventOf } from '@vid/protocol'
import { comparePictures } from '@vid/runtime'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { isWhole, longTest } from '../../scripts/dev/part-of.ts'
import { copyOf, GALLERY } from '../support/gallery.ts'
import { threeStills } from '../support/stills.ts'
import { descendants, here, printed, scratch, start, vidInProcess as vid } from '../support/vid.ts'

/** What the pictures of this processor may differ by from those of every one, dB. */
const LEAST_PSNR = 50

/** The projects that are tried; all of them with `npm run lab -- raster-gallery`. */
const FEW: ReadonlySet<string> = new Set(['grading', 'six-scenes'])

/** Runs a command to its end; gives the object in the last line of its output, and all of it. */
const json = async (...args: string[]) => {
  const run = await vid([...args, '--json'], { env: { VID_CACHE: 'on' } })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return { ...run, last: JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') }
}

const projectWithoutConfig = async (): Promise<string> => {
  const folder = join(await scratch(), 'project')
  await cp(here('projects/frame-number'), folder, { recursive: true })
  await rm(join(folder, 'vid.config.mjs'))
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  return folder
}

test('the plan names the processor by default, and its segments are not taken for those of every processor', async () => {
  const folder = await projectWithoutConfig()
  const planOf = async (...flags: string[]) => (await json('inspect', folder, ...flags)).last
  const native = await planOf()
  const portable = await planOf('--raster', 'portable')
  expect([native, portable].map(({ plan }) => plan.capture.settings)).toEqual([{ raster: 'native' }, {}])
  const { build } = portable.plan.capture
  expect(native.plan.capture.build).toMatch(/, raster x86-64\S* .*\w+ \d+$/)
  expect(native.plan.capture.build.split(', raster ')[0]).toBe(build)
  expect(native.planHash).not.toBe(portable.planHash)
  expect((await planOf('--raster', 'native')).planHash).toBe(native.planHash)

  const reused = async (raster: string) => {
    const output = join(folder, `${raster}.mp4`)
    const words = ['-o', output, '--force', '--to', '1s', '--raster', raster]
    const { stdout } = await json('render', folder, ...words)
    return [...stdout.matchAll(/"type":"segment-complete".*?"reused":"([^"]*)"/g)].map(([, why]) => why)
  }
  expect(await reused('portable')).toEqual([])
  expect(await reused('native')).not.toContain('the same inputs')
  expect(await reused('native')).toEqual(['the same inputs'])
})

test.each(['native', 'portable'])('--raster %s reaches the browser that draws', async (raster) => {
  const folder = await projectWithoutConfig()
  const words = ['-o', join(folder, 'out.mp4'), '--raster', raster, '-w', '1', '--json']
  const run = start(['render', folder, ...words])
  await printed(run, /"framesRendered":[1-9]/)
  const drawing = (await descendants(run.child.pid)).filter(({ command }) => command.includes('--type=renderer'))
  expect(drawing.length, 'the render ended before its browser was seen').toBeGreaterThan(0)
  for (const { command } of drawing) expect(command.includes('--disable-skia-runtime-opts')).toBe(raster === 'portable')
  expect(await run.done).toMatchObject({ code: 0 })
})

test.each(GALLERY.filter(([project]) => isWhole || FEW.has(project)))(
  '%s drawn by this processor looks as drawn by every one: %j',
  async (project, entries) => {
    const folder = await copyOf(project, 'export default {}\n')
    for (const entry of entries) {
      const stills = await threeStills(folder, entry, '--raster', 'native')
      const everywhere = await threeStills(folder, entry, '--raster', 'portable')
      const alike: number[] = []
      for (const [index, { path }] of stills.entries()) {
        const one = decodePng(await readFile(path))
        const other = decodePng(await readFile(everywhere[index]?.path ?? ''))
        alike.push(comparePictures(one.data, other.data, { ...one, planar: false }).psnr ?? Infinity)
      }
      if (isWhole) console.log(project, entry, alike.map((psnr) => psnr.toFixed(1)).join(' '))
      expect(alike).toHaveLength(3)
      expect(Math.min(...alike), entry).toBeGreaterThanOrEqual(LEAST_PSNR)
    }
  },
)

longTest('vid doctor and vid benchmark say with which instruction sets pages are drawn, and why', async () => {
  const folder = await projectWithoutConfig()
  const index = join(folder, 'index.html')
  await writeFile(index, (await readFile(index, 'utf8')).replace('data-duration="4"', 'data-duration="0.5"'))
  const { plan } = (await json('inspect', folder)).last
  const level = plan.capture.build.split(', raster ')[1]
  const { checks } = (await json('doctor', folder)).last as EventOf<'doctor'>
  const detail = expect.stringContaining(`native, which is fastest: ${level};`)
  expect(checks.find(({ name }) => name === 'raster')).toMatchObject({ ok: true, required: false, detail })
  const drawnBy = async () => {
    const { last } = await json('benchmark', folder, '--runs', '1', '--workers', '1', '--quality', 'draft')
    return last.raster
  }
  expect(await drawnBy()).toContain(`native, which is fastest: ${level};`)
  await writeFile(join(folder, 'vid.config.mjs'), `export default { render: { raster: 'portable' } }\n`)
  expect(await drawnBy()).toMatch(/^portable, as asked for/)
})
