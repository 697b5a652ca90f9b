import { createHash } from 'node:crypto'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { here, scratch, vid, vidInProcess } from './support/vid.ts'

const engines = ['puppeteer', 'playwright']

/** A copy of a project whose config takes an engine: one line of it names the package. */
const projectWith = async (engine: string, project: string, lane: string): Promise<string> => {
  const folder = join(await scratch(), 'project')
  await cp(here(`projects/${project}`), folder, { recursive: true })
  await rm(join(folder, 'vid.config.mjs'))
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  const config = `import capture from '@vid/capture-${engine}'
import { defineConfig } from '@vid/config'

export default defineConfig({
  capture: capture({ lane: '${lane}' }),
  render: { segmentFrames: 8 },
})
`
  await writeFile(join(folder, 'vid.config.ts'), config)
  return folder
}

/** The digest of the file that an engine renders without loss. */
const rendered = async (engine: string, project: string, lane: string): Promise<string> => {
  const folder = await projectWith(engine, project, lane)
  const output = join(folder, 'out.mp4')
  const words = ['render', folder, '-o', output, '--to', '0.5s', '--crf', '0', '-w', '2', '--json']
  const run = await vidInProcess(words)
  expect(run, run.stderr).toMatchObject({ code: 0 })
  for (const other of engines)
    expect(run.stdout.includes(`"@vid/capture-${other}","hook":"capture"`), other).toBe(other === engine)
  return createHash('sha256')
    .update(await readFile(output))
    .digest('hex')
}

test.each([
  ['frame-number', ['screenshot']],
  ['nested-parts', ['raster']],
  ['seeked', ['begin-frame']],
])('%s is the same file with either engine on the same browser, in lanes %j', async (project, tried) => {
  for (const lane of tried) {
    const one = await rendered('puppeteer', project, lane)
    const other = await rendered('playwright', project, lane)
    expect(other, lane).toBe(one)
  }
})

test('an engine that is set in vid.config.ts is named in events and errors', async () => {
  const folder = await projectWith('playwright', 'frame-number', 'auto')
  expect((await vidInProcess(['inspect', folder])).stdout).toMatch(/capture +config +"@vid\/capture-playwright"\n/)
  const run = await vid(['render', folder, '-o', join(folder, 'out.mp4')], {
    env: { VID_BROWSER_PATH: join(folder, 'no-browser') },
  })
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('plugin: @vid/capture-playwright') })
})
