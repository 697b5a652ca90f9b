import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAws } from '../scripts/aws/start.mjs'
import { type Finished, here, printed, scratch, start, vid } from './support/vid.ts'

/** 150 frames: two segments, as `vid render` has them too. */
const page = (word = 'vid') => `<!doctype html>
<html data-composition-variables='[{"id":"word","type":"string","label":"Word","default":"${word}"}]'>
<body style="margin:0"><div data-composition-id="root" data-width="320" data-height="180" data-duration="5" style="width:320px;height:180px;background:teal">
<p id="word" style="font:40px sans-serif;color:white;animation:move 5s linear"></p></div>
<style>@keyframes move { to { transform: translateX(200px) } }</style>
<script>document.getElementById('word').textContent = __vid.getVariables().word</script></body></html>`

const CHUNKS = ['--chunk-size', '120', '--poll-interval', '1'] as const

let aws: Awaited<ReturnType<typeof startAws>>
let bucket = ''
/** What the first test has deployed is there for all. */
let deployed: Finished | undefined

/** Runs the command with the endpoints of AWS in place of AWS. */
const lambda = (words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  vid(['lambda', ...words], { cwd: here('..'), env: { ...aws.env, ...more } })
const clientOf = <T>(Client: new (options: object) => T, name: 'S3' | 'SFN' | 'CLOUDFORMATION'): T =>
  new Client({
    region: aws.env.AWS_REGION,
    endpoint: aws.env[`AWS_ENDPOINT_URL_${name}`],
    credentials: {
      accessKeyId: aws.env.AWS_ACCESS_KEY_ID,
      secretAccessKey: aws.env.AWS_SECRET_ACCESS_KEY,
    },
  })
const keys = async (Prefix = ''): Promise<readonly string[]> => {
  const keys: string[] = []
  let ContinuationToken: string | undefined
  do {
    const page = await clientOf(S3Client, 'S3').send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) }),
    )
    keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key))
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken)
  return keys
}
const objectDigest = async (Key: string) => {
  const { Body } = await clientOf(S3Client, 'S3').send(new GetObjectCommand({ Bucket: bucket, Key }))
  return createHash('sha256')
    .update((await Body?.transformToByteArray()) ?? '')
    .digest('hex')
}
const executions = async () => {
  const stateMachineArn = /RenderStateMachineArn=(\S+)/.exec(deployed?.stdout ?? '')?.[1]
  return (await clientOf(SFNClient, 'SFN').send(new ListExecutionsCommand({ stateMachineArn }))).executions
}
const digestOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
const events = ({ stdout }: Finished) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const film = async (word?: string): Promise<string> => {
  const folder = join(await scratch(), 'film')
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), page(word))
  return folder
}

beforeAll(async () => {
  // A start that takes long is one of a busy machine here.
  aws = await startAws({ retryScale: 0.05, concurrency: 3, initSeconds: 120 })
})
beforeEach(async () => {
  deployed ??= await lambda(['deploy'])
  if (deployed.code !== 0) throw new Error(`the stack was not deployed:\n${deployed.stderr}`)
  bucket = /RenderBucketName=(\S+)/.exec(deployed.stdout)?.[1] ?? ''
})
afterAll(() => aws.close())

test('deploy prints the outputs of the stack', () => {
  expect(deployed?.code, deployed?.stderr).toBe(0)
  for (const name of ['RenderBucketName', 'RenderStateMachineArn', 'RenderFunctionArn'])
    expect(deployed?.stdout).toMatch(new RegExp(`^${name}=\\S+$`, 'm'))
  for (const step of ['collecting', 'starting its', 'compressing', 'formats: ', 'uploading the function: '])
    expect(deployed?.stderr).toContain(step)
})

test('render --wait ends with the cost and a file of the same bytes as that of a local render, and leaves no work', async () => {
  const dir = await film()
  const output = join(dir, '../far.mp4')
  const { code, stderr } = await lambda(['render', dir, ...CHUNKS, '--wait', '--output', output])
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/done: 150 frames, 5 s of video, .* 4 calls, \$0\.\d+/)
  const local = join(dir, '../local.mp4')
  expect((await vid(['render', dir, '--raster', 'portable', '-o', local])).code).toBe(0)
  expect(await digestOf(output)).toBe(await digestOf(local))
  const left = (await keys('renders/')).map((key) => key.replace(/^renders\/[^/]+\//, ''))
  expect(left.filter((key) => !/^(calls\/|result\.json$|request\.json$|plan\.json$)/.test(key))).toEqual([])
})

test('a render without --wait is followed later by its id, and reuses what has not changed', async () => {
  const dir = await film()
  const started = await lambda(['render', dir, ...CHUNKS.slice(0, 2), '--output-key', 'films/again.mp4'])
  expect(started.code, started.stderr).toBe(0)
  const renderId = /renderId\s+(\S+)/.exec(started.stdout)?.[1] ?? ''
  const followed = await lambda(['progress', renderId, '--wait', '--poll-interval', '1', '--json'])
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

const batchFile = async (dir: string, lines: readonly string[]) => {
  const file = join(dir, '../rows.jsonl')
  await writeFile(file, lines.join('\n'))
  return file
}
const row = (word: string) => JSON.stringify({ outputKey: `batch/${word}.mp4`, variables: { word } })

test('a batch with bad lines starts nothing, and names each of them', async () => {
  const dir = await film()
  const bad = ['{"outputKey": 1}', 'no json', '{"outputKey": "sites/x.mp4"}', row('one'), '{"key": "x"}']
  const file = await batchFile(dir, [row('one'), '', ...bad])
  const before = (await executions())?.length
  const { code, stderr } = await lambda(['render-batch', dir, '--batch', file])
  expect(code, stderr).toBe(2)
  for (const line of [3, 4, 5, 6, 7]) expect(stderr).toMatch(new RegExp(`line ${line}\\b`, 'i'))
  expect((await executions())?.length).toBe(before)
})

test('a batch starts a render for each line, each with its own words', async () => {
  const dir = await film()
  const file = await batchFile(dir, [row('one'), '', row('two')])
  const { code, stdout, stderr } = await lambda(['render-batch', dir, '--batch', file, ...CHUNKS.slice(0, 2), '--json'])
  expect(code, stderr).toBe(0)
  const rows = JSON.parse(stdout)
  expect(rows).toMatchObject([
    {
      inputLine: 1,
      outputKey: 'batch/one.mp4',
      status: 'started',
      executionArn: expect.stringContaining('arn:'),
    },
    { inputLine: 3, outputKey: 'batch/two.mp4', status: 'started' },
  ])
  for (const { executionArn } of rows) {
    const ended = await lambda(['progress', executionArn, '--wait', '--poll-interval', '1'])
    expect(ended.code, ended.stderr).toBe(0)
  }
  expect(await objectDigest('batch/one.mp4')).not.toBe(await objectDigest('batch/two.mp4'))
})

test('a dry run needs neither stack nor credentials, and no network', async () => {
  const dir = await film()
  const file = await batchFile(dir, [row('one'), row('two')])
  const none = {
    ...Object.fromEntries(Object.keys(aws.env).map((name) => [name, undefined])),
    AWS_REGION: undefined,
  }
  const { code, stdout, stderr } = await lambda(['render-batch', dir, '--batch', file, '--dry-run', '--json'], {
    ...none,
    AWS_EC2_METADATA_DISABLED: 'true',
  })
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([
    { inputLine: 1, status: 'would-invoke', executionArn: null },
    { inputLine: 2, status: 'would-invoke', executionArn: null },
  ])
})

test('the id of a site is made of names, modes and bytes alone, without hidden files', async () => {
  const siteId = async (dir: string) => {
    const { code, stdout, stderr } = await lambda(['sites', 'create', dir])
    expect(code, stderr).toBe(0)
    return stdout.trim()
  }
  const first = await film()
  await writeFile(join(first, 'note.txt'), 'a')
  const copy = async () => {
    const copy = join(await scratch(), 'copy')
    await cp(first, copy, { recursive: true })
    return copy
  }
  const id = await siteId(first)
  expect(id).toMatch(/^[0-9a-f]{64}$/)
  const equal = await copy()
  await writeFile(join(equal, '.env'), 'SECRET=hush')
  expect(await siteId(equal)).toBe(id)
  const mode = await copy()
  const name = await copy()
  const byte = await copy()
  await chmod(join(mode, 'note.txt'), 0o755)
  await rename(join(name, 'note.txt'), join(name, 'notes.txt'))
  await writeFile(join(byte, 'note.txt'), 'b')
  const all = [id, await siteId(mode), await siteId(name), await siteId(byte)]
  expect(new Set(all).size).toBe(4)
  const sites = (await keys('sites/')).filter((key) => key.endsWith('/site.json'))
  expect(sites).toEqual(expect.arrayContaining(all.map((site) => `sites/${site}/site.json`)))
})

const large = (bytes: number) => `{"word":"${'é'.repeat(bytes / 2)}"}`
const refusals: Readonly<Record<string, readonly [string[], RegExp]>> = {
  'an HDR video': [['--hdr'], /hdr/],
  'a key among the sites': [['--output-key', 'sites/a.mp4'], /output-key.*sites\//],
  'chunks of no frame': [['--chunk-size', '0'], /chunk-size/],
  'a number that is none': [['--chunk-size', '1e3'], /chunk-size/],
  'more chunks than a render may have': [['--max-parallel-chunks', '100000'], /max-parallel-chunks/],
  'a width that is none': [['--width', '12.5'], /width/],
  'two ways to give values': [['--variables', '{}', '--variables-file', 'x.json'], /variables-file/],
}
test.each(Object.keys(refusals))('%s is refused before anything is asked of AWS', async (name) => {
  const [flags, named] = refusals[name] as (typeof refusals)[string]
  const dir = await film()
  const before = (await aws.control('state')).s3.requests
  const { code, stderr } = await lambda(['render', dir, ...flags])
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(named)
  expect((await aws.control('state')).s3.requests).toBe(before)
})

test('values that make the input larger than 262,144 bytes are refused, with the number of bytes', async () => {
  const dir = await film()
  const file = join(dir, '../values.json')
  const batch = join(dir, '../rows.jsonl')
  await writeFile(file, large(262_144))
  await writeFile(batch, `{"outputKey":"a.mp4","variables":${large(262_144)}}`)
  const { code, stderr } = await lambda(['render-batch', dir, '--batch', batch])
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/variables[\s\S]*262,?\s?\d{3}/)
})

test('a gif that no call could join is refused when it is planned, and leaves no file', async () => {
  const dir = await film()
  const text = page()
    .replaceAll('320', '1920')
    .replaceAll('180', '1080')
    .replace('data-duration="5"', 'data-duration="3600"')
  await writeFile(join(dir, 'index.html'), text)
  const words = ['--format', 'gif', '--output-key', 'films/long.gif', '--wait', '--poll-interval', '1']
  const { code, stderr } = await lambda(['render', dir, ...words])
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/joining 108000 frames of 1920 × 1080 as gif/)
  expect(await keys('films/long')).toEqual([])
})

test('a format that the deployed function does not make is refused at once', async () => {
  const before = (await executions())?.length
  const { code, stderr } = await lambda(['render', await film(), '--format', 'webp'])
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/VID_LAMBDA_FORMAT: .*its formats: .*\bgif\b.*\bmp4\b/)
  expect((await executions())?.length).toBe(before)
})

test('Ctrl-C leaves the render alone, and says how to follow it', async () => {
  const dir = await film('left')
  const run = start(['lambda', 'render', dir, ...CHUNKS, '--wait'], { cwd: here('..'), env: aws.env })
  await printed(run, /planning|rendering/)
  run.child.kill('SIGINT')
  const { code, stderr } = await run.done
  expect(code, stderr).toBe(130)
  const [, renderId = ''] = /vid lambda progress (\S+)/.exec(stderr) ?? []
  const ended = await lambda(['progress', renderId.replace(/\W+$/, ''), '--wait', '--poll-interval', '1'])
  expect(ended.code, ended.stderr).toBe(0)
})

test('destroy keeps the results unless it is told otherwise', async () => {
  const gone = await lambda(['destroy', '--no-confirm'])
  expect(gone.code, gone.stderr).toBe(0)
  expect(gone.stderr).toContain(bucket)
  expect(await keys('films/')).toEqual(['films/again.mp4'])
  const stack = clientOf(CloudFormationClient, 'CLOUDFORMATION').send(
    new DescribeStacksCommand({ StackName: 'vid-render' }),
  )
  await expect(stack).rejects.toThrow('does not exist')
  const again = await lambda(['destroy', '--empty', 'all', '--no-confirm'])
  expect([again.code, again.stderr.includes('vid lambda deploy')], again.stderr).toEqual([2, false])
  expect(again.stderr).toMatch(/VID_LAMBDA_STACK_MISSING: .* in the region \S+ \(of AWS_REGION\)/)
  const { environments } = await aws.control('state')
  expect(environments).toEqual([])
})
