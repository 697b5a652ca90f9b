import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { descendants, here, scratch, start, until, vid } from '../support/vid.ts'

const broken = `<!doctype html><html><body>
<div data-composition-id="x" data-width="64" data-height="36" data-duration="0.2" style="background:#00f">
<img src="gone.png">
</div></body></html>`

test('compositions that render as they should have no finding', async () => {
  for (const project of ['../examples/hello', 'projects/clockwork', 'projects/frame-number'])
    expect(await vid(['lint', here(project), '--strict'])).toMatchObject({ code: 0, stdout: '' })
})

test('an error ends lint with 1, and names file, line and rule', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'index.html'), broken)
  const { code, stdout } = await vid(['lint', folder])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^index\.html\n {2}3 {2}error {4}"gone\.png" .*\[lint\/missing-asset\]\n/)
})

test('render --strict stops before a browser starts; without it the video is made', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'index.html'), broken)
  const output = join(folder, 'out.mp4')
  const strict = start(['render', folder, '-o', output, '--strict'])
  const seen = new Set<string>()
  const watching = until(async () => {
    for (const { command } of await descendants(strict.child.pid)) seen.add(command)
    return strict.child.exitCode ?? undefined
  })
  expect(await strict.done).toMatchObject({ code: 1, stderr: expect.stringContaining('VID_LINT_STRICT') })
  await watching
  expect([...seen].filter((command) => /chrom|headless/i.test(command))).toEqual([])
  const lenient = await vid(['render', folder, '-o', output])
  expect(lenient, lenient.stderr).toMatchObject({ code: 0 })
  expect(lenient.stderr).toContain(`lint: 1 error — vid lint ${folder} shows them`)
})
