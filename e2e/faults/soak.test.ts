import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderer } from '@vid/render'
import { expect, onTestFinished, test, vi } from 'vitest'
import { descendants, scratch } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const page = `<!doctype html><body><div data-composition-id="dot" data-width="64" data-height="64" data-duration="0.2">
<i style="position:absolute;width:8px;height:8px;background:red;animation:go 0.2s linear"></i></div>
<style>@keyframes go { to { transform: translateX(56px) } }</style>`

/** What a process holds that could grow. */
const resources = async () => ({
  files: (await readdir('/proc/self/fd')).length,
  // Its own children: those of a browser come and go with pages.
  processes: (await descendants(process.pid)).filter(({ parent }) => parent === process.pid).length,
  scratch: (await readdir(tmpdir())).length,
  profiles: (await readdir('/dev/shm')).filter((name) => name.includes(`-${process.pid}-`)).length,
})

const RENDERS = Number(process.env.VID_SOAK_RENDERS ?? 12)

test('many renders in one process leave nothing behind, and one browser serves them all', {
  timeout: 300_000 + RENDERS * 5_000,
}, async () => {
  const project = await projectOf({ 'index.html': page })
  const output = join(await scratch(), 'dot.mp4')
  // Of its own, since other tests use the common one.
  vi.stubEnv('TMPDIR', await scratch())
  onTestFinished(() => void vi.unstubAllEnvs())
  const renderer = await createRenderer({ env: { VID_CACHE: 'off' } })
  const settings = { projectDir: project, output, quality: 'draft' } as const
  const before = await resources()
  let early: Awaited<ReturnType<typeof resources>> | undefined
  for (let n = 0; n < RENDERS; n += 1) {
    await renderer.render(settings)
    if (n === 2) early = await resources()
  }
  expect(await resources()).toEqual(early)
  await renderer.close()
  expect(await resources()).toEqual(before)
})
