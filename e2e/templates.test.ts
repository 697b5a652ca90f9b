import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { here, scratch, vid } from './support/vid.ts'

const listed = execFileSync(process.execPath, [here('../packages/cli/bin/vid.js'), 'init', '--list', '--json'])
const { templates } = JSON.parse(listed.toString()) as {
  readonly templates: readonly { readonly name: string; readonly format?: string; readonly batch?: string }[]
}

test.each(templates)('a project of the template $name has no finding and renders', async ({ name, format, batch }) => {
  const folder = await scratch()
  const project = join(folder, 'film')
  expect(await vid(['init', project, '--template', name])).toMatchObject({ code: 0 })
  expect(await vid(['lint', project, '--strict'])).toMatchObject({ code: 0, stdout: '' })
  const output = batch ? join(folder, '{index}.mp4') : join(folder, `film.${format ?? 'mp4'}`)
  const part = ['--from', '50%', '--to', '52%', '--fps', '10', '--no-cache', '--json']
  const rows = batch ? ['--batch', join(project, batch)] : []
  const { code, stdout, stderr } = await vid(['render', project, ...rows, '-o', output, ...part])
  expect(code, stdout + stderr).toBe(0)
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly warnings?: readonly unknown[] })
  expect(events.at(-1)?.type).toBe(batch ? 'batch-complete' : 'render-complete')
  expect(events.flatMap(({ warnings = [] }) => warnings)).toEqual([])
})
