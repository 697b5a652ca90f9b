import { createHash } from 'node:crypto'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { here, scratch, vidInProcess } from './vid.ts'

const engines = ['puppeteer', 'playwright']

/** A copy of a project whose config takes an engine: one line of it names the package. */
export const projectWith = async (engine: string, project: string, lane: string): Promise<string> => {
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

/** Expects both engines to make the same file of a project in a lane. */
export const expectSameFile = async (project: string, lane: string): Promise<void> => {
  const one = await rendered('puppeteer', project, lane)
  const other = await rendered('playwright', project, lane)
  expect(other, lane).toBe(one)
}
