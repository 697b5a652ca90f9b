import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch, vidInProcess as vid } from '../support/vid.ts'

const page = `<!doctype html><html><body>
<div data-composition-id="x" data-width="64" data-height="36" data-duration="1" style="background:#00f"><p id="box">x</p></div>
<script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script>
<script>
  console.log('\\u001b[31mred\\u001b[0m', { a: 1 })
  console.info('twice'); console.info('twice')
  console.debug('silent')
  fetch('gone.json?token=abc').catch(() => {})
  console.warn('https://example.com/a.mp4?X-Amz-Signature=abc')
  const tl = gsap.timeline({ paused: true })
  tl.to('#bxo', { x: 10, duration: 1 })
  window.__timelines = { x: tl }
</script></body></html>`

const project = async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'index.html'), page)
  return folder
}

test('what the page writes to its console is shown once with its count, from several workers too', async () => {
  const folder = await project()
  const { code, stderr } = await vid(['render', folder, '-o', join(folder, 'out.mp4'), '--workers', '2'])
  expect(code, stderr).toBe(0)
  const lines = stderr.split('\n').filter((line) => line.startsWith('console.'))
  expect(lines).toContain('console.info (2 times): twice')
  expect(lines.filter((line) => line.includes('GSAP target'))).toEqual([
    expect.stringMatching(/^console\.warn( \(\d+ times\))?: GSAP target #bxo not found/),
  ])
  expect(lines.filter((line) => line.includes('red'))).toHaveLength(1)
  for (const text of ['\u001b', 'silent', 'abc']) expect(stderr).not.toContain(text)
})

test('with --json each message is an event, and --quiet leaves it out of the text', async () => {
  const folder = await project()
  const { stdout, stderr } = await vid(['render', folder, '-o', join(folder, 'out.mp4'), '--json', '--quiet'])
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; text?: string })
  const messages = events.filter(({ type }) => type === 'console')
  expect(messages).toContainEqual(expect.objectContaining({ level: 'info', text: 'twice', count: 2 }))
  expect(messages.filter(({ text }) => text?.includes('GSAP target'))).toHaveLength(1)
  expect(events.at(-1)?.type).toBe('render-complete')
  expect(stderr).not.toContain('console.')
  expect(stdout + stderr).not.toContain('abc')
})
