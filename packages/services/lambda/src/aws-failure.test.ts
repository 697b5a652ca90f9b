import { describeCause } from '@vid/protocol'
import { expect, test, vi } from 'vitest'
import { askAws, awsError } from './aws-failure.ts'
import { refusal, startAws, stubCredentials } from './fixtures/aws-endpoint.ts'
import { stackOutputs, stopRender } from './index.ts'

const request = { action: 'states:StartExecution', subject: 'the state machine' } as const
const named = (name: string, facts: object = {}) => Object.assign(new Error(`${name} it is`), { name, ...facts })

test.each([
  [named('CredentialsProviderError'), 'VID_AWS_CREDENTIALS', 'caller'],
  [named('ExpiredTokenException'), 'VID_AWS_CREDENTIALS', 'caller'],
  [named('InvalidClientTokenId', { $metadata: { httpStatusCode: 403 } }), 'VID_AWS_CREDENTIALS', 'caller'],
  [named('AccessDeniedException'), 'VID_AWS_DENIED', 'machine'],
  [named('Unknown', { $metadata: { httpStatusCode: 403 } }), 'VID_AWS_DENIED', 'machine'],
  [named('ThrottlingException'), 'VID_AWS_THROTTLED', 'machine'],
  [named('Unknown', { $metadata: { httpStatusCode: 429 } }), 'VID_AWS_THROTTLED', 'machine'],
  [named('StateMachineDoesNotExist'), 'VID_AWS_NOT_FOUND', 'caller'],
  [named('Error', { code: 'ECONNREFUSED' }), 'VID_AWS_UNREACHABLE', 'machine'],
  [named('TimeoutError'), 'VID_AWS_UNREACHABLE', 'machine'],
  [new Error('Region is missing'), 'VID_AWS_REGION', 'caller'],
  [named('InternalFailure', { $metadata: { httpStatusCode: 500 } }), 'VID_AWS_FAILED', 'machine'],
  ['thrown text', 'VID_AWS_FAILED', 'machine'],
])('%s is %s', (thrown, code, fault) => {
  expect(awsError(thrown, request)).toMatchObject({ code, fault })
})

test('what is denied is named with the permission that it needs', () => {
  const error = awsError(named('AccessDeniedException'), request)
  expect(error.message).toContain('states:StartExecution')
  expect(error.hint).toContain('vid lambda policies')
})

test('names of errors of AWS are in no message that has words', () => {
  const raw = ['ValidationError', 'ThrottlingException', 'ResourceNotFoundException', 'ExpiredToken']
  for (const name of raw) {
    const { message } = awsError(Object.assign(new Error('in its own words'), { name }), request)
    expect(message).toMatch(/in its own words\.$/)
    expect(message).not.toContain(name)
  }
})

test('an answer without words has at least its status', () => {
  const error = awsError(
    named('UnknownError', { message: 'UnknownError', $metadata: { httpStatusCode: 500 } }),
    request,
  )
  expect(error.message).toMatch(/UnknownError|500/)
})

test('an error with a code passes as it is, and the reason of a signal comes first', async () => {
  const coded = awsError(new Error('Region is missing'), request)
  expect(awsError(coded, { ...request, subject: 'another' })).toBe(coded)
  const ending = new AbortController()
  const reason = new Error('enough')
  const call = askAws(request, ending.signal, async () => {
    ending.abort(reason)
    throw named('AbortError')
  })
  await expect(call).rejects.toBe(reason)
})

const executionArn = 'arn:aws:states:eu-central-1:123456789012:execution:vid-render:film'

test('the clients of AWS report what these errors are made from', async () => {
  await startAws({ StopExecution: () => refusal('AccessDeniedException', 'User is not authorized') })
  await expect(stopRender({ executionArn })).rejects.toMatchObject({
    code: 'VID_AWS_DENIED',
    message: `These credentials may not stop the render (permission states:StopExecution on the render ${executionArn}): User is not authorized.`,
  })
})

test('an address where nobody listens is told as one', async () => {
  stubCredentials()
  vi.stubEnv('AWS_ENDPOINT_URL_SFN', 'http://127.0.0.1:9')
  try {
    await expect(stopRender({ executionArn })).rejects.toMatchObject({ code: 'VID_AWS_UNREACHABLE' })
  } finally {
    vi.unstubAllEnvs()
  }
}, 60_000)

test('without credentials, and without a region, that is what is told', async () => {
  const none = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']
  for (const name of none) vi.stubEnv(name, undefined)
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/nowhere')
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  try {
    await expect(stackOutputs()).rejects.toMatchObject({ code: 'VID_AWS_REGION' })
    const denied: unknown = await stackOutputs({ region: 'eu-central-1' }).catch((thrown: unknown) => thrown)
    expect(denied, describeCause(denied)).toMatchObject({ code: 'VID_AWS_CREDENTIALS', fault: 'caller' })
  } finally {
    vi.unstubAllEnvs()
  }
}, 60_000)
