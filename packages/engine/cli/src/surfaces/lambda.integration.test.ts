import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  openWorkflow,
  STATE_MACHINE,
  type WorkflowScript,
} from '../../../../services/lambda/src/fixtures/scripted-workflow.ts'
import { eventsOf, makeFolder, startVid, vid, vidWith } from '../fixtures/project.ts'

/** A folder with a composition, and a stack on the loopback that renders it by a script. */
const setUp = async (script: WorkflowScript = {}) => {
  const workflow = await openWorkflow(script)
  onTestFinished(workflow.close)
  const folder = await makeFolder({})
  const start = (...args: string[]) => startVid(folder, ['lambda', ...args], workflow.env)
  const executions = () => [...workflow.executions.values()]
  return {
    ...workflow,
    folder,
    start,
    run: (...args: string[]) => vidWith(folder, ['lambda', ...args], { env: workflow.env }),
    executions,
  }
}

const HASTE = ['--poll-interval', '0.1']

test('without --wait, the project is uploaded once and the handle printed at once', async () => {
  const { run, executions, s3 } = await setUp({ end: 'waiting' })
  const { code, stdout, stderr } = await run('render', 'intro', '--variables', '{"title":"yo"}', '--json')
  expect([code, stderr]).toEqual([0, ''])
  const [site, handle] = eventsOf(stdout)
  const [{ input }] = executions() as [ReturnType<typeof executions>[number]]
  expect(site).toMatchObject({ type: 'lambda-site', siteId: input.siteId, uploaded: true, files: 1 })
  expect(handle).toEqual({
    type: 'lambda-render',
    renderId: input.renderId,
    bucketName: 'videos',
    executionArn: `${STATE_MACHINE.replace('stateMachine', 'execution')}:${input.renderId}`,
    stateMachineArn: STATE_MACHINE,
    outputS3Uri: `s3://videos/outputs/${input.renderId}.mp4`,
    startedAt: expect.stringMatching(/^20\d\d-/),
  })
  expect(input).toMatchObject({ variables: { title: 'yo' }, request: { format: 'mp4' }, reuse: true })
  const uploads = () => s3.seen.filter(({ method, key }) => method === 'PUT' && key.startsWith('sites/'))
  const before = uploads().length
  const again = await run('sites', 'create', 'intro')
  expect([again.code, again.stdout, uploads().length]).toEqual([0, `${input.siteId}\n`, before])
  expect(again.stderr).toContain('nothing to upload')
  const listed = await run('sites', 'list')
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${input.siteId}  20`))])
})

test('with --wait, a render is followed, its result fetched and its cost told', async () => {
  const { run, folder } = await setUp()
  const { code, stdout, stderr } = await run('render', 'intro', '--wait', ...HASTE, '-o', 'out/film.mp4')
  expect([code, stdout]).toEqual([0, 'out/film.mp4\n'])
  expect(await readFile(join(folder, 'out/film.mp4'), 'utf8')).toBe('the video')
  expect(await readdir(join(folder, 'out'))).toEqual(['film.mp4'])
  expect(stderr).toMatch(/^uploading: 0 bytes of (.*)\nuploading: \1 of \1$/m)
  expect(stderr).toMatch(/rendering \[.*4 frames, chunks \d\/1/)
  expect(stderr).toMatch(/done: 4 frames, 0\.16 s of video, 9 bytes, 6 calls, \$0\.00/)
  expect(stderr).toContain('VID_FAR_WARNING')
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('with --json, a render that is followed is events that the protocol describes', async () => {
  const { run, folder } = await setUp()
  const args = ['render', 'intro', '--wait', ...HASTE, '-o', 'film.mp4', '--json']
  const { code, stdout } = await run(...args)
  const events = eventsOf(stdout)
  expect([code, events.slice(0, 2).map(({ type }) => type)]).toEqual([0, ['lambda-site', 'lambda-render']])
  expect(new Set(events.slice(2, -1).map(({ type }) => type))).toEqual(new Set(['lambda-progress']))
  expect(events.at(-1)).toMatchObject({
    type: 'lambda-complete',
    status: 'SUCCEEDED',
    overallProgress: 1,
    lambdasInvoked: 6,
    outputPath: join(folder, 'film.mp4'),
    result: { frames: 4, bytes: 9 },
    cost: { usd: expect.any(Number), calls: 6 },
  })
})

test('the end of a render says how much was reused, and repeats no warning that was shown at the start', async () => {
  const { run } = await setUp({
    reusedFrames: 1,
    warnings: [
      {
        code: 'VID_VARIABLE_UNDECLARED',
        message: 'Variable "tilte" is not declared in data-composition-variables.',
      },
      { code: 'VID_FAR_WARNING', message: 'said by the function' },
    ],
  })
  const { stderr } = await run('render', 'intro', '--variables', '{"tilte":"x"}', '--wait', ...HASTE)
  expect(stderr).toContain('done: 4 frames (4 reused), ')
  expect(stderr.match(/warning VID_\w+/g)).toEqual(['warning VID_VARIABLE_UNDECLARED', 'warning VID_FAR_WARNING'])
})

test('the name of a file is not judged where only the function knows the format', async () => {
  const { run } = await setUp()
  const misnamed = await run('render', 'intro', '--wait', ...HASTE, '--format', 'gif', '-o', 'last.mov')
  expect(misnamed.stderr).toContain('VID_OUTPUT_MISNAMED')
  const still = await run('render', 'intro', '--wait', ...HASTE, '--format', 'last-frame', '-o', 'last.png')
  expect([still.code, still.stdout]).toEqual([0, 'last.png\n'])
  expect(still.stderr).not.toContain('VID_OUTPUT_MISNAMED')
})

test('a format that the stack does not make is refused before anything is uploaded or started', async () => {
  const { run, folder, operations: calls, s3 } = await setUp({ end: 'waiting' })
  const body = Buffer.from('{"formats":["gif","mp4"]}')
  s3.objects.set('functions/formats.json', { body, type: undefined, writtenMs: 0 })
  await batch(folder, { outputKey: 'a.webp' })
  for (const words of [['render'], ['render-batch', '--batch', 'rows.jsonl']]) {
    const { code, stdout, stderr } = await run(...words, 'intro', '--format', 'webp')
    expect([code, stdout, calls]).toEqual([2, '', []])
    expect(stderr).toContain('VID_LAMBDA_FORMAT: The stack vid-render does not encode "webp"; its formats: gif, mp4')
  }
  expect(s3.seen.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('a render that is not waited for says how to follow it', async () => {
  const { run, executions } = await setUp({ end: 'waiting' })
  const { stderr } = await run('render', 'intro')
  expect(stderr).toContain(`vid lambda progress ${executions()[0]?.input.renderId} --wait\n`)
})

test('a sequence of images is fetched as a folder', async () => {
  const { run, folder } = await setUp({ video: { 'frame_000000.png': 'one', 'frame_000001.png': 'two' } })
  const { code, stdout } = await run(
    'render',
    'intro',
    '--format',
    'png-sequence',
    '--wait',
    ...HASTE,
    '--output',
    'frames',
    '--quiet',
  )
  expect([code, stdout]).toEqual([0, 'frames\n'])
  expect(await readFile(join(folder, 'frames/frame_000001.png'), 'utf8')).toBe('two')
  expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/^\.vid-/))
})

test('what else is in the folder of a sequence stays in the bucket', async () => {
  const { run, folder, s3 } = await setUp({ video: { 'frame_000000.png': 'one', 'frame_000001.png': 'two' } })
  for (const name of ['notes.txt', 'film.mp4', '0.txt', 'frame_0.png/deep.png'])
    s3.objects.set(`shots/a/${name}`, { body: Buffer.from('other'), type: undefined, writtenMs: 0 })
  const { code, stderr } = await run(
    'render',
    'intro',
    '--format',
    'png-sequence',
    '--output-key',
    'shots/a',
    '--wait',
    ...HASTE,
    '--output',
    'frames',
  )
  expect(code, stderr).toBe(0)
  expect(await readdir(join(folder, 'frames'))).toEqual(['frame_000000.png', 'frame_000001.png'])
})

test('a result that was damaged on its way is no file, and an error', async () => {
  const { run, folder } = await setUp({ end: 'damaged' })
  const { code, stderr } = await run('render', 'intro', '--wait', ...HASTE, '-o', 'film.mp4')
  expect([code, stderr]).toEqual([1, expect.stringContaining('VID_LAMBDA_OUTPUT_DAMAGED')])
  expect(await readdir(folder)).toEqual(['intro', 'node_modules', 'tmp'])
})

test('a render that fails ends with the error of the function, and its exit code', async () => {
  const error = { code: 'VID_FAR', message: 'no size', hint: 'give one', fault: 'caller' } as const
  const { run } = await setUp({ end: 'failed', error })
  const { code, stdout, stderr } = await run('render', 'intro', '--wait', ...HASTE)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('error VID_FAR: no size\n  hint: give one')
})

test('values of a file that are too large for the workflow go by the bucket, and leave nothing here', async () => {
  const { run, folder, executions, s3 } = await setUp({ end: 'waiting' })
  const title = 'x'.repeat(300_000)
  await writeFile(join(folder, 'values.json'), JSON.stringify({ title }))
  const { code } = await run('render', 'intro', '--variables-file', 'values.json', '--quiet')
  const [{ input }] = executions() as [ReturnType<typeof executions>[number]]
  const stored = s3.objects.get(input.variablesObject?.key ?? '')
  expect([code, input.variables, stored?.body.toString()]).toEqual([0, undefined, JSON.stringify({ title })])
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('Ctrl-C leaves the render alone and says how to go on, which then follows it to its end', async () => {
  const { start, run, executions } = await setUp({ end: 'waiting' })
  const { child, done } = start('render', 'intro', '--wait', ...HASTE)
  child.stderr.on('data', (text) => String(text).includes('rendering') && child.kill('SIGINT'))
  const { code, stderr } = await done
  const [{ input, status }] = executions() as [ReturnType<typeof executions>[number]]
  expect([code, status]).toEqual([130, 'RUNNING'])
  expect(stderr).toContain(`vid lambda progress ${input.renderId} --wait`)
  expect(stderr).toContain(`vid lambda stop ${input.renderId}`)
  const shown = await run('progress', input.renderId)
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/status +RUNNING\n/)])
  const arn = `${STATE_MACHINE.replace('stateMachine', 'execution')}:${input.renderId}`
  expect(await run('stop', arn)).toMatchObject({ code: 0, stdout: `${input.renderId}\n` })
  const ended = await run('progress', arn, '--wait', ...HASTE)
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('VID_LAMBDA_RENDER_STOPPED')])
})

test('renders are listed as a table or as JSON, the latest first', async () => {
  const { run, executions } = await setUp({ end: 'waiting' })
  const none = await run('list')
  expect([none.code, none.stdout, none.stderr]).toEqual([0, '', 'no renders\n'])
  for (const key of ['a.mp4', 'b.mp4']) await run('render', 'intro', '--output-key', key)
  const [first = '', second = ''] = executions().map(({ input }) => input.renderId)
  await run('stop', first)
  const table = await run('list')
  expect([table.code, table.stdout.trimEnd().split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(/^render +status +started +ended$/),
      expect.stringMatching(new RegExp(`^${second} +RUNNING +20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d +-$`)),
      expect.stringMatching(new RegExp(`^${first} +ABORTED +20.* 20.*$`)),
    ],
  ])
  const one = await run('list', '--limit', '1')
  expect([one.stdout.includes(first), one.stderr]).toEqual([false, expect.stringContaining('--all')])
  const [event] = eventsOf((await run('list', '--status', 'aborted', '--json')).stdout)
  expect(event).toEqual({
    type: 'lambda-list',
    renders: [
      {
        renderId: first,
        status: 'ABORTED',
        executionArn: `${STATE_MACHINE.replace('stateMachine', 'execution')}:${first}`,
        startedAt: expect.stringMatching(/^20/),
        endedAt: expect.stringMatching(/^20/),
      },
    ],
    hasMore: false,
  })
})

test('a shortened id is answered with the ids that begin so, and no name of an error of AWS', async () => {
  const { run, executions } = await setUp({ end: 'waiting' })
  await run('render', 'intro')
  const renderId = executions()[0]?.input.renderId ?? ''
  for (const command of ['progress', 'stop']) {
    const { code, stderr } = await run(command, renderId.slice(0, 8))
    expect([code, stderr]).toEqual([
      2,
      `error VID_LAMBDA_RENDER_MISSING: The stack vid-render has no render ${renderId.slice(0, 8)}; similar ids: ${renderId}.\n  hint: Give the full id.\n`,
    ])
  }
})

test('a render by the target for AWS tells its id there at the start, and its cost at the end', async () => {
  const { folder, env, executions } = await setUp()
  const config = `import lambda from '@vid/target-lambda'
export default { targets: { aws: lambda({ pollSeconds: 0.1 }) } }`
  await writeFile(join(folder, 'vid.config.ts'), config)
  const words = ['render', 'intro', '--target', 'aws', '-o', 'film.mp4', '--force']
  const text = await vidWith(folder, words, { env })
  expect(text.code, text.stderr).toBe(0)
  expect(text.stderr).toMatch(
    new RegExp(`rendered elsewhere as ${executions()[0]?.input.renderId}\\n[^]*done: .* \\$0\\.\\d+$`, 'm'),
  )
  const { stdout } = await vidWith(folder, [...words, '--json'], { env })
  const events = eventsOf(stdout)
  const farId = executions()[1]?.input.renderId
  expect(events.filter(({ type }) => type === 'render-accepted')).toMatchObject([{ farId }])
  expect(events.at(-1)).toMatchObject({ type: 'render-complete', cost: { usd: expect.any(Number) } })
})

test('errors of AWS that may pass are waited for while a render is followed', async () => {
  const { run } = await setUp({ refusals: { DescribeExecution: ['SomethingInternal'] } })
  const { code, stdout, stderr } = await run('render', 'intro', '--wait', ...HASTE)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^s3:\/\/videos\/outputs\//)])
  expect(stderr).toContain('asking again: ')
})

const batch = async (folder: string, ...lines: readonly (object | string)[]) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  await writeFile(join(folder, 'rows.jsonl'), text)
}

test('each line of a batch is started once, and one that is not is a row and exit code 1', async () => {
  const { run, folder, executions } = await setUp({
    end: 'waiting',
    refusals: { StartExecution: ['AccessDeniedException'] },
  })
  await batch(folder, { outputKey: 'a.mp4', variables: { title: 'Ann' } }, '', { outputKey: 'b.mp4' })
  const args = ['render-batch', 'intro', '--batch', 'rows.jsonl', '--max-concurrent', '1']
  const { code, stdout, stderr } = await run(...args, '--json')
  const [failed, started] = JSON.parse(stdout)
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 of 2 renders could not be started')])
  expect(failed).toMatchObject({
    inputLine: 1,
    outputKey: 'a.mp4',
    executionArn: null,
    status: 'failed-to-start',
    error: { code: 'VID_AWS_DENIED' },
  })
  expect(started).toMatchObject({ inputLine: 3, outputKey: 'b.mp4', status: 'started' })
  const text = await run(...args)
  expect(text.stdout).toMatch(/line 1 {2}started {2}a\.mp4 {2}arn:.*\nline 3 .*\n2 started, 0 failed-to-start\n$/)
  expect([text.code, text.stderr]).toEqual([0, expect.stringContaining('1 blank line skipped')])
  const [one, ...others] = executions().map(({ input }) => input)
  expect(others.map(({ outputKey }) => outputKey)).toEqual(['a.mp4', 'b.mp4'])
  expect(new Set(others.map(({ batchId }) => batchId)).size).toBe(1)
  expect(one?.batchId).not.toBe(others[0]?.batchId)
  expect(others[0]?.variables).toEqual({ title: 'Ann' })
})

test('wrong lines are all reported in their order with their numbers, and nothing is started or uploaded', async () => {
  const { run, folder, operations: calls, s3 } = await setUp()
  await batch(
    folder,
    { outputKey: 'a.mp4' },
    'no json',
    { outputKey: 'sites/x' },
    { outputKey: 'a.mp4' },
    '[]',
    { outputKey: 'b.webm' },
    { outputKey: 'c.mp4', variables: { title: 'x'.repeat(262_145) } },
    { outputKey: 'd.mp4', variables: { tilte: 'x' } },
  )
  const args = ['render-batch', 'intro', '--batch', 'rows.jsonl', '--strict-variables']
  const { code, stdout, stderr } = await run(...args)
  expect([code, stdout, calls, s3.seen]).toEqual([2, '', [], []])
  const lines = [...stderr.matchAll(/VID_LAMBDA_BATCH_LINE: Line (\d+)/g)].map(([, line]) => line)
  expect(lines).toEqual(['2', '3', '4', '5', '6', '7', '8'])
  expect(stderr).toMatch(/Line 7 .* 262\d{3} bytes/)
})

test('a dry run needs no stack, no credentials and no network', async () => {
  const folder = await makeFolder({})
  await batch(folder, { outputKey: 'a.mp4' }, { outputKey: 'b.mp4' })
  const { code, stdout } = await vid(
    folder,
    'lambda',
    'render-batch',
    'intro',
    '--batch',
    'rows.jsonl',
    '--dry-run',
    '--json',
  )
  const rows = [1, 2].map((inputLine) => ({
    inputLine,
    outputKey: inputLine === 1 ? 'a.mp4' : 'b.mp4',
    executionArn: null,
    status: 'would-invoke',
  }))
  expect([code, JSON.parse(stdout)]).toEqual([0, rows])
})

const wrong: readonly (readonly [readonly string[], string])[] = [
  [['--chunk-size', '0'], '--chunk-size; got "0"'],
  [['--chunk-size', '1e3'], '--chunk-size; got "1e3"'],
  [['--max-parallel-chunks', '100000'], '--max-parallel-chunks; got "100000"'],
  [['--target-chunk-frames', '-1'], '--target-chunk-frames; got "-1"'],
  [['--width', '1.5'], '--width; got "1.5"'],
  [['--height', '0'], '--height; got "0"'],
  [['--fps', '0'], '--fps; got "0"'],
  [['--site-id', 'latest'], '--site-id; got "latest"'],
  [['--output-key', 'sites/x.mp4'], '--output-key cannot be used'],
  [['--output-key', 'segments/x.mp4'], '--output-key cannot be used'],
  [['--output-key', '../x.mp4'], '--output-key cannot be used'],
  [['--hdr'], '--hdr cannot be used'],
  [['--width', '100', '--scale', '2'], '--width cannot be used: it cannot be combined with scale'],
  [['--variables', '{}', '--variables-file', 'x.json'], '--variables and --variables-file'],
  [['--variables', '[]'], '--variables holds an array'],
  [['--output', 'x.mp4'], '--output requires --wait'],
  [['--crf', '20', '--video-bitrate', '5M'], '--crf and --video-bitrate'],
  [['--prices', 'none.json'], 'none.json'],
  [['--region', 'Frankfurt'], '--region; got "Frankfurt"'],
  [['--state-machine', 'mine'], '--state-machine; got "mine"'],
  [['--poll-interval', '0', '--wait'], '--poll-interval; got "0"'],
  [['--gpu'], 'no flag --gpu'],
]

test('every wrong flag is named, and nothing is asked of AWS', async () => {
  const { run, folder, operations: calls, s3 } = await setUp()
  for (const [flags, text] of wrong) {
    const { code, stdout, stderr } = await run('render', 'intro', ...flags)
    expect([flags, code, stdout, stderr]).toEqual([flags, 2, '', expect.stringContaining(text)])
  }
  const several = await run('render', 'intro', '--chunk-size', '0', '--hdr', '--output-key', 'renders/x')
  for (const name of ['--chunk-size', '--hdr', '--output-key']) expect(several.stderr).toContain(name)
  const strict = await run('render', 'intro', '--variables', '{"tilte":1}', '--strict-variables')
  expect([strict.code, strict.stderr]).toEqual([1, expect.stringContaining('"tilte" is not declared')])
  const batchFile = await run('render-batch', 'intro', '--batch', 'x', '--variables-file', 'y')
  expect(batchFile.stderr).toContain('--batch and --variables-file cannot be combined')
  const retention = await run('deploy', '--retention-days', '0', '--memory', '10241', '--concurrency=x')
  for (const name of ['--retention-days', '--memory', '--concurrency'])
    expect(retention.stderr).toContain(`${name}; got`)
  expect([calls, s3.seen, existsSync(join(folder, 'renders'))]).toEqual([[], [], false])
})

test('an estimate says what a render may cost, and starts nothing', async () => {
  const { run, operations: calls, s3 } = await setUp()
  const { code, stdout } = await run('render', 'intro', '--estimate', '--region', 'us-east-1', '--json')
  const [event] = eventsOf(stdout)
  expect([code, calls, s3.seen]).toEqual([0, [], []])
  expect(event).toMatchObject({ type: 'lambda-estimate', frames: 15, chunks: 1 })
  const text = await run('render', 'intro', '--estimate', '--region', 'eu-west-2')
  expect(text.stdout).toMatch(/^prices +of 20\S+, in eu-west-2$/m)
})

test('removing a stack has to be confirmed', async () => {
  const { run } = await setUp()
  expect(await run('destroy')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VID_CONFIRM_MISSING'),
  })
})
