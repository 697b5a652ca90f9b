import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FORMATS_KEY } from '../contract/object-keys.ts'
import { completeOutputs, startFormation } from '../fixtures/formation.ts'
import { checkStackVersion, deployStack, type StackEvent, stackOutputs, version } from '../index.ts'

const makePackage = async (content = 'a zip'): Promise<{ readonly packageFile: string; readonly digest: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-lambda-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const packageFile = join(folder, 'function.zip')
  await writeFile(packageFile, content)
  return { packageFile, digest: createHash('sha256').update(content).digest('hex') }
}

test('a new stack gets its bucket, then the package is uploaded, then the rest is made', async () => {
  const { changes, of, parametersOf, s3 } = await startFormation()
  const { packageFile, digest } = await makePackage()
  const events: StackEvent[] = []
  const onEvent = (event: StackEvent) => events.push(event)
  const options = { packageFile, memory: 4096, concurrency: 20, retentionDays: 5, onEvent }
  expect(await deployStack(options)).toEqual({
    stackName: 'vid-render',
    bucketName: 'videos',
    stateMachineArn: completeOutputs.RenderStateMachineArn,
    functionArn: completeOutputs.RenderFunctionArn,
    functionVersion: '1',
    logGroupName: completeOutputs.RenderLogGroupName,
    packageDigest: digest,
    version,
    memoryMb: 4096,
    storageMb: 10_240,
  })
  expect(changes()).toEqual(['CreateStack', 'UpdateStack'])
  expect(Object.keys(JSON.parse(String(of('CreateStack')[0]?.input.TemplateBody)).Resources)).toEqual([
    'RenderBucket',
    'RenderBucketPolicy',
  ])
  expect(s3.objects.get(`functions/${digest}.zip`)?.body.toString()).toBe('a zip')
  expect(parametersOf(of('UpdateStack')[0]?.input)).toEqual(
    expect.arrayContaining([
      { ParameterKey: 'MemorySize', ParameterValue: '4096' },
      { ParameterKey: 'ReservedConcurrency', ParameterValue: '20' },
      { ParameterKey: 'SegmentDays', ParameterValue: '5' },
      { ParameterKey: 'PackageDigest', ParameterValue: digest },
    ]),
  )
  expect(events.filter(({ stage }) => stage === 'upload')).toEqual([
    { stage: 'upload', bytes: 5, sent: 0 },
    { stage: 'upload', bytes: 5, sent: 5 },
  ])
  expect(events).toContainEqual(
    expect.objectContaining({ stage: 'resource', resource: 'vid-render', status: 'UPDATE_IN_PROGRESS' }),
  )
})

test('tags, tracing and a boundary go to the stack, beside the tag of vid', async () => {
  const { of, parametersOf } = await startFormation()
  const permissionsBoundary = 'arn:aws:iam::123456789012:policy/vid-boundary'
  const tags = { team: 'video', 'cost center': '17' }
  await deployStack({ ...(await makePackage()), tags, tracing: true, permissionsBoundary })
  const [created, updated] = [of('CreateStack')[0]?.input, of('UpdateStack')[0]?.input]
  for (const input of [created, updated])
    expect(
      [1, 2, 3].map((index) => [input?.[`Tags.member.${index}.Key`], input?.[`Tags.member.${index}.Value`]]),
    ).toEqual([
      ['vid:stack', 'render'],
      ['team', 'video'],
      ['cost center', '17'],
    ])
  expect(parametersOf(updated)).toEqual(expect.arrayContaining([{ ParameterKey: 'Tracing', ParameterValue: 'on' }]))
  expect(JSON.parse(String(updated?.TemplateBody)).Resources).toMatchObject({
    RenderFunctionRole: { Properties: { PermissionsBoundary: permissionsBoundary } },
    RenderWorkflowRole: { Properties: { PermissionsBoundary: permissionsBoundary } },
  })
})

test('a stack that is up to date stays as it is, and nothing is uploaded again', async () => {
  const { changes, s3 } = await startFormation()
  const packageOptions = await makePackage()
  const first = await deployStack(packageOptions)
  const uploads = () => s3.seen.filter(({ method }) => method === 'PUT').length
  const before = uploads()
  expect(await deployStack(packageOptions)).toEqual(first)
  expect(changes()).toEqual(['CreateStack', 'UpdateStack', 'UpdateStack'])
  expect(uploads()).toBe(before)
})

const HOUR_MS = 3_600_000

test('a package that is no longer used is removed a day after its upload', async () => {
  const { s3 } = await startFormation()
  const old = await makePackage('old')
  await deployStack(old)
  const [oldKey = ''] = s3.objects.keys()
  await deployStack(await makePackage('new'))
  expect([...s3.objects.keys()]).toContain(oldKey)
  Object.assign(s3.objects.get(oldKey) ?? {}, { writtenMs: Date.now() - 25 * HOUR_MS })
  const { packageFile, digest } = await makePackage('newest')
  expect((await deployStack({ packageFile })).packageDigest).toBe(digest)
  expect([...s3.objects.keys()]).not.toContain(oldKey)
  expect([...s3.objects.keys()]).toContain(`functions/${digest}.zip`)
})

test('a package that was uploaded long ago and is chosen again is not removed by another deployment', async () => {
  const { s3 } = await startFormation()
  const chosen = await makePackage('chosen')
  const other = await makePackage('other')
  const key = `functions/${chosen.digest}.zip`
  await deployStack(chosen)
  Object.assign(s3.objects.get(key) ?? {}, { writtenMs: Date.now() - 25 * HOUR_MS })
  await deployStack(chosen)
  await deployStack(other)
  expect([...s3.objects.keys()]).toContain(key)
})

test('a package that another deployment has brought the stack to meanwhile is not removed', async () => {
  const { s3, make } = await startFormation()
  const ownPackage = await makePackage('mine')
  const otherPackage = await makePackage('theirs')
  const key = `functions/${otherPackage.digest}.zip`
  const stack = make({ status: 'UPDATE_COMPLETE', outputs: completeOutputs })
  await deployStack(otherPackage)
  Object.assign(s3.objects.get(key) ?? {}, { writtenMs: Date.now() - 25 * HOUR_MS })
  const onEvent = ({ stage }: StackEvent) => {
    if (stage !== 'resource') return
    stack.outputs = { ...stack.outputs, PackageDigest: otherPackage.digest }
  }
  expect(await deployStack({ ...ownPackage, onEvent })).toMatchObject({ packageDigest: otherPackage.digest })
  expect([...s3.objects.keys()]).toContain(key)
})

test('formats of an earlier function are forgotten with a package or an image whose formats are not known', async () => {
  const { s3 } = await startFormation()
  const image = '123456789012.dkr.ecr.eu-central-1.amazonaws.com/vid:1'
  const body = Buffer.from('{"formats":["mp4"]}')
  await deployStack(await makePackage())
  for (const options of [await makePackage('another'), { image }]) {
    s3.objects.set(FORMATS_KEY, { body, type: undefined, writtenMs: 0 })
    await deployStack(options)
    expect(s3.objects.has(FORMATS_KEY)).toBe(false)
  }
})

test('a resource that cannot be made is named with its reason, and not those that were given up because of it', async () => {
  await startFormation({ UPDATE: 'The role cannot be assumed by Lambda' })
  await expect(deployStack(await makePackage())).rejects.toMatchObject({
    code: 'VID_LAMBDA_STACK_FAILED',
    message:
      'The stack vid-render could not be changed, and is now UPDATE_ROLLBACK_COMPLETE: RenderFunction (AWS::Lambda::Function): The role cannot be assumed by Lambda.',
  })
})

test.each(['ROLLBACK_COMPLETE', 'CREATE_FAILED', 'DELETE_FAILED'])(
  'a stack that is %s is removed first',
  async (status) => {
    const { make, changes } = await startFormation()
    make({ status })
    await deployStack(await makePackage())
    expect(changes()).toEqual(['DeleteStack', 'CreateStack', 'UpdateStack'])
  },
)

test('a change that goes on is waited for', async () => {
  const { make, changes } = await startFormation()
  const coming = ['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE']
  make({ status: 'UPDATE_IN_PROGRESS', coming, outputs: completeOutputs })
  const events: StackEvent[] = []
  await deployStack({ ...(await makePackage()), onEvent: (event) => events.push(event) })
  expect(events).toContainEqual({ stage: 'waiting', status: expect.stringContaining('IN_PROGRESS') })
  expect(changes()).toEqual(['UpdateStack'])
})

test('a change that another begins while the package is uploaded is waited for, and then followed by this one', async () => {
  const { make, s3, changes } = await startFormation()
  const stack = make({ status: 'UPDATE_COMPLETE', outputs: completeOutputs })
  const { packageFile, digest } = await makePackage()
  const onEvent = ({ stage }: StackEvent) => {
    if (stage === 'upload') Object.assign(stack, { status: 'UPDATE_IN_PROGRESS', coming: ['UPDATE_COMPLETE'] })
  }
  expect(await deployStack({ packageFile, onEvent })).toMatchObject({ packageDigest: digest })
  expect(changes()).toEqual(['UpdateStack', 'UpdateStack'])
  expect([...s3.objects.keys()]).toEqual([`functions/${digest}.zip`])
})

test('a stack that another makes at the same time is waited for, and brought up to date', async () => {
  const { make, changes } = await startFormation({}, () =>
    make({ status: 'CREATE_IN_PROGRESS', coming: ['CREATE_COMPLETE'], outputs: completeOutputs }),
  )
  const { packageFile, digest } = await makePackage()
  expect(await deployStack({ packageFile })).toMatchObject({ packageDigest: digest })
  expect(changes()).toEqual(['CreateStack', 'UpdateStack'])
})

test('a network that is away for all attempts of one request does not end the wait', async () => {
  const { make, away, changes } = await startFormation()
  const coming = ['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE']
  make({ status: 'UPDATE_IN_PROGRESS', coming, outputs: completeOutputs })
  const onEvent = ({ stage }: StackEvent) => {
    if (stage === 'waiting') away.requests = 9
  }
  await deployStack({ ...(await makePackage()), onEvent })
  expect(away.requests).toBe(0)
  expect(changes()).toEqual(['UpdateStack'])
}, 120_000)

test('a stack that only a person can mend is left alone', async () => {
  const { make, changes } = await startFormation()
  make({ status: 'UPDATE_ROLLBACK_FAILED' })
  await expect(deployStack(await makePackage())).rejects.toMatchObject({ code: 'VID_LAMBDA_STACK_STATE' })
  expect(changes()).toEqual([])
})

test('a stack of somebody else is left alone', async () => {
  const { make, changes, s3 } = await startFormation()
  make({ status: 'CREATE_COMPLETE', tags: [{ Key: 'team', Value: 'web' }] })
  await expect(deployStack(await makePackage())).rejects.toMatchObject({ code: 'VID_LAMBDA_STACK_FOREIGN' })
  await expect(stackOutputs()).rejects.toMatchObject({ code: 'VID_LAMBDA_STACK_FOREIGN' })
  expect(changes()).toEqual([])
  expect(s3.seen).toEqual([])
})

test('a stack with an image is made at once, and needs no package', async () => {
  const { changes } = await startFormation()
  const image = '123456789012.dkr.ecr.eu-central-1.amazonaws.com/vid:1'
  expect((await deployStack({ image })).packageDigest).toBe(image)
  expect(changes()).toEqual(['CreateStack'])
})

test('the events of earlier changes are neither told nor read to their end', async () => {
  const { make, of } = await startFormation()
  const old = Array.from({ length: 3 }, (_, index) => ({
    EventId: `old${index}`,
    StackName: 'vid-render',
    StackId: 's',
    ResourceStatus: 'UPDATE_FAILED',
    LogicalResourceId: 'RenderLogs',
    ResourceStatusReason: 'long ago',
    Timestamp: '2026-01-01T00:00:00Z',
  }))
  make({ status: 'UPDATE_COMPLETE', outputs: completeOutputs, events: old })
  const events: StackEvent[] = []
  await deployStack({ ...(await makePackage()), onEvent: (event) => events.push(event) })
  expect(JSON.stringify(events)).not.toContain('long ago')
  expect(events).toContainEqual(expect.objectContaining({ stage: 'resource', status: 'UPDATE_IN_PROGRESS' }))
  expect(of('DescribeStackEvents').length).toBeGreaterThan(1)
})

test('a signal ends the wait with its reason', async () => {
  const { make } = await startFormation()
  make({ status: 'UPDATE_IN_PROGRESS' })
  const ending = new AbortController()
  const reason = new Error('enough')
  const deployed = deployStack({
    ...(await makePackage()),
    signal: ending.signal,
    onEvent: ({ stage }) => stage === 'waiting' && ending.abort(reason),
  })
  await expect(deployed).rejects.toBe(reason)
})

test.each([
  [{ memory: 127 }, 'memory'],
  [{ memory: 1024.5 }, 'memory'],
  [{ storage: 20_000 }, 'storage'],
  [{ concurrency: 0 }, 'concurrency'],
  [{ retentionDays: 0 }, 'retentionDays'],
  [{ logDays: 31 }, 'logDays'],
  [{ permissionsBoundary: 'vid-boundary' }, 'permissionsBoundary'],
  [{ tags: { 'aws:team': 'web' } }, 'tags'],
  [{ tags: { 'vid:stack': 'mine' } }, 'tags'],
  [{ tags: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`tag${index}`, ''])) }, 'tags'],
  [{ image: 'docker.io/vid' }, 'image'],
  [{ packageFile: '/nowhere/function.zip' }, 'packageFile'],
  [{ stackName: 'my_stack', image: '123456789012.dkr.ecr.eu-central-1.amazonaws.com/vid:1' }, 'stackName'],
])('%j is refused before anything is asked of AWS', async (options, field) => {
  const { calls } = await startFormation()
  await expect(deployStack(options)).rejects.toMatchObject({ code: 'VID_LAMBDA_CONFIG', field })
  expect(calls).toEqual([])
})

test('the outputs of a stack are those that renders need; one with only its bucket is not complete', async () => {
  const { make } = await startFormation()
  await expect(stackOutputs()).rejects.toMatchObject({
    code: 'VID_LAMBDA_STACK_MISSING',
    message: 'There is no stack vid-render in the region eu-central-1 (of AWS_REGION).',
  })
  await expect(stackOutputs({ region: 'us-east-1' })).rejects.toThrow('in the region us-east-1 (as given)')
  const stack = make({ status: 'CREATE_COMPLETE', outputs: { RenderBucketName: 'videos' } })
  await expect(stackOutputs()).rejects.toThrow('not complete: CREATE_COMPLETE')
  stack.outputs = completeOutputs
  expect(await stackOutputs()).toMatchObject({ bucketName: 'videos', memoryMb: 10_240 })
})

test('a stack of another version is refused, with both versions and the command to run', () => {
  expect(() => checkStackVersion({ stackName: 'films', version: '0.0.9' })).toThrow(
    expect.objectContaining({
      code: 'VID_LAMBDA_STACK_VERSION',
      message: `The stack films was deployed by version 0.0.9 of vid, but this is version ${version}.`,
      hint: expect.stringContaining('vid lambda deploy --stack films'),
    }),
  )
  expect(() => checkStackVersion({ stackName: 'films', version })).not.toThrow()
})
