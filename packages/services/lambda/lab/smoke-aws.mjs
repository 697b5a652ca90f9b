// Deploys, renders and destroys on a real account, which the endpoints of packages/services/lambda/lab/aws cannot stand for: npm run lab -- smoke-aws.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { sceneWords, writeComposition } from './chaos/compositions.mjs'
import { openSession, renderHere } from './chaos/session.mjs'
import { vidLambda } from './chaos/version-cases.mjs'

const { values: flags } = parseArgs({
  options: {
    region: { type: 'string' },
    yes: { type: 'boolean', default: false },
    wide: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const USAGE = `npm run lab -- smoke-aws [--region REGION] [--yes] [--wide]

Deploys a stack of its own on the account of the credentials in the environment, renders with it, compares the files with those
of local renders, prints what starts and calls have taken and cost, and removes everything again. --yes starts without asking;
--wide adds a render of 200 chunks, which is a distributed Map.`
if (flags.help) {
  console.log(USAGE)
  process.exit()
}
const { AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_WEB_IDENTITY_TOKEN_FILE, AWS_REGION, AWS_DEFAULT_REGION } = process.env
const region = flags.region ?? AWS_REGION ?? AWS_DEFAULT_REGION
if (!(AWS_PROFILE || AWS_ACCESS_KEY_ID || AWS_WEB_IDENTITY_TOKEN_FILE) || !region) {
  console.error('There are no credentials of AWS: set AWS_PROFILE or AWS_ACCESS_KEY_ID, and AWS_REGION or --region.')
  process.exit(2)
}
process.env.AWS_REGION = region
const { estimateRenderCost } = await import('@vid/lambda')

const MINUTE = 1800
const composition = { scenes: 12, seconds: 5, width: 1280, height: 720 }
const renders = [
  ['a short render in new environments', 150],
  ['the same once more', 150],
  ['a video of a minute', MINUTE],
  ['the same with an edited word', MINUTE],
  ...(flags.wide ? [['200 chunks of 9 frames', MINUTE]] : []),
]
const estimates = renders.map(([name, totalFrames]) => [
  name,
  estimateRenderCost({ config: { width: 1280, height: 720, fps: 30, format: 'mp4' }, totalFrames, region }),
])
const total = estimates.reduce((sum, [, { high }]) => sum + high.usd, 0)
console.log(`In ${region}, on the account of these credentials:`)
for (const [name, { low, high }] of estimates)
  console.log(`  ${name}: $${low.usd.toFixed(4)} to $${high.usd.toFixed(4)}`)
console.log(`Together at most about $${total.toFixed(2)}, and less than a cent for what is stored meanwhile.`)
const isAgreed = async () => {
  if (flags.yes) return true
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Go on? [y/N] ')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
if (!(await isAgreed())) {
  console.error('Nothing was started; give --yes to start without being asked.')
  process.exit(2)
}

const stack = `vid-smoke-${randomBytes(4).toString('hex')}`
const work = mkdtempSync(join(tmpdir(), 'vid-smoke-'))
const problems = []
const expect = (isRight, problem) => {
  if (isRight) return
  problems.push(problem)
  console.log(`WRONG ${problem}`)
}
const vid = async (words, exitCode = 0) => {
  const done = await vidLambda([...words, '--stack', stack, '--region', region])
  expect(done.code === exitCode, `vid lambda ${words.join(' ')} ended with ${done.code}: ${done.stderr}`)
  return done
}
const timed = async (name, action) => {
  const startedMs = performance.now()
  const value = await action()
  console.log(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  return value
}

try {
  const { stdout } = await timed('deploy', () => vid(['deploy']))
  const output = (name) => new RegExp(`^${name}=(\\S+)$`, 'm').exec(stdout)?.[1]
  const session = openSession({
    bucketName: output('RenderBucketName'),
    stateMachineArn: output('RenderStateMachineArn'),
  })
  const render = (name, dir, config = {}) =>
    timed(name, async () => {
      const end = await session.follow(await session.start(dir, { config }))
      expect(end.status === 'SUCCEEDED', `${name} has ${end.status}: ${JSON.stringify(end.errors)}`)
      const { usd, coldStarts, billedSeconds } = end.cost
      console.log(
        `  ${end.lambdasInvoked} calls, ${coldStarts} cold, ${billedSeconds.toFixed(1)} s billed, $${usd.toFixed(4)}`,
      )
      return end
    })
  const short = writeComposition(work, 'short', { scenes: 5, seconds: 1, width: 1280, height: 720 })
  const first = await render(renders[0][0], short, { chunkSize: 120, reuse: false })
  expect(
    first.result?.sha256 === (await renderHere(short, work)),
    'the file has other bytes than that of a local render',
  )
  await render(renders[1][0], short, { chunkSize: 120, reuse: false })
  const minute = await render(renders[2][0], writeComposition(work, 'minute', composition))
  const words = sceneWords(composition.scenes).with(2, 'Changed')
  const edited = await render(renders[3][0], writeComposition(work, 'edited', { ...composition, words }))
  const share = edited.cost.billedSeconds / minute.cost.billedSeconds
  expect(share <= 0.25, `an edited word took ${(share * 100).toFixed(1)} % of the function time`)
  if (flags.wide)
    await render(renders[4][0], join(work, 'minute'), { chunkSize: 9, maxParallelChunks: 200, reuse: false })
  const rows = join(work, 'rows.jsonl')
  const line = (last) => JSON.stringify({ outputKey: `rows/${last}.mp4`, variables: { last } })
  writeFileSync(rows, [line('One'), 'no json', line('Two')].join('\n'))
  await vid(['render-batch', short, '--batch', rows], 2)
  writeFileSync(rows, [line('One'), line('Two')].join('\n'))
  const batch = JSON.parse((await vid(['render-batch', short, '--batch', rows, '--json'])).stdout)
  for (const { executionArn } of batch) {
    const end = await session.follow({ renderId: executionArn.split(':').at(-1) })
    expect(end.status === 'SUCCEEDED', `a line of the batch has ${end.status}`)
  }
  const logs = await vid(['logs', first.renderId])
  const starts = [...logs.stdout.matchAll(/Init Duration: ([\d.]+) ms/g)].map(([, ms]) => Number(ms))
  const peaks = [...logs.stdout.matchAll(/Max Memory Used: (\d+) MB/g)].map(([, megabytes]) => Number(megabytes))
  console.log(`starts: ${starts.join(', ')} ms; memory at most ${Math.max(...peaks)} MB`)
  const file = join(work, 'policies.json')
  writeFileSync(file, (await vidLambda(['policies'])).stdout)
  expect(readFileSync(file, 'utf8').includes('lambda:'), 'vid lambda policies printed none')
} catch (thrown) {
  expect(false, thrown.stack)
} finally {
  const gone = await vidLambda(['destroy', '--stack', stack, '--region', region, '--empty', 'all', '--no-confirm'])
  expect(gone.code === 0, `the stack ${stack} is still there: ${gone.stderr}`)
  rmSync(work, { recursive: true, force: true })
}
console.log(problems.length === 0 ? 'All of it works on this account.' : `${problems.length} went wrong.`)
process.exitCode = problems.length === 0 ? 0 : 1
