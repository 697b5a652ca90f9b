import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { type Finished, printed, start, vid } from '../support/vid.ts'
import { CHUNKS, composition, WAIT } from './composition.ts'
import { keysBelow, lambda, objectDigest } from './stack.ts'

const digestOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
const events = ({ stdout }: Finished) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('render --wait ends with the cost and a file of the same bytes as that of a local render, and leaves no work', async () => {
  const dir = await composition()
  const output = join(dir, '../far.mp4')
  const { code, stderr } = await lambda(['render', dir, ...CHUNKS, ...WAIT, '--output', output])
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/done: 150 frames, 5 s of video, .* 4 calls, \$0\.\d+/)
  const local = join(dir, '../local.mp4')
  // A function has the embedded ffmpeg, whose bytes are not those of one on the PATH.
  const alone = { env: { PATH: dir, VID_SANDBOX: 'off' } }
  expect(await vid(['render', dir, '--raster', 'portable', '-o', local], alone)).toMatchObject({ code: 0 })
  expect(await digestOf(output)).toBe(await digestOf(local))
  const left = (await keysBelow('renders/')).map((key) => key.replace(/^renders\/[^/]+\//, ''))
  expect(left.filter((key) => !/^(calls\/|result\.json$|request\.json$|plan\.json$)/.test(key))).toEqual([])
})

test('a render without --wait is followed later by its id, and reuses what has not changed', async () => {
  const dir = await composition()
  const started = await lambda(['render', dir, ...CHUNKS, '--output-key', 'films/again.mp4'])
  expect(started.code, started.stderr).toBe(0)
  const renderId = /renderId\s+(\S+)/.exec(started.stdout)?.[1] ?? ''
  const followed = await lambda(['progress', renderId, ...WAIT, '--json'])
  expect(followed.code, followed.stderr).toBe(0)
  expect(events(followed).at(-1)).toMatchObject({
    status: 'SUCCEEDED',
    overallProgress: 1,
    framesReused: 150,
    result: { outputKey: 'films/again.mp4', sha256: await objectDigest('films/again.mp4') },
  })
  const looked = await lambda(['progress', renderId])
  expect(looked.stdout).toMatch(/^status\s+SUCCEEDED$/m)
  expect(looked.stdout).toMatch(/^chunks\s+2\/2$/m)
  const listed = await lambda(['list', '--json'])
  expect(events(listed)[0]).toMatchObject({ type: 'lambda-list' })
  expect(events(listed)[0].renders).toContainEqual(expect.objectContaining({ renderId, status: 'SUCCEEDED' }))
  const short = await lambda(['progress', renderId.slice(0, 8)])
  expect([short.code, short.stderr.includes(renderId)], short.stderr).toEqual([2, true])
  const logs = await lambda(['logs', renderId])
  expect([logs.code, logs.stdout.includes('REPORT RequestId')], logs.stderr).toEqual([0, true])
})

longTest('Ctrl-C leaves the render alone, and says how to follow it', async () => {
  const dir = await composition('left', 1)
  const run = start(['lambda', 'render', dir, '--wait'])
  await printed(run, /planning|rendering/)
  run.child.kill('SIGINT')
  const { code, stderr } = await run.done
  expect(code, stderr).toBe(130)
  const [, renderId = ''] = /vid lambda progress (\S+)/.exec(stderr) ?? []
  const ended = await lambda(['progress', renderId.replace(/\W+$/, ''), ...WAIT])
  expect(ended.code, ended.stderr).toBe(0)
})
