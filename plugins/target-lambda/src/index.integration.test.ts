import { requestTargetSuite } from '@vid/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveScript } from './fixtures/scripted-aws.ts'
import lambda from './index.ts'

requestTargetSuite(lambda, {
  options: { region: 'us-east-1', pollSeconds: 0.01, awaySeconds: 2 },
  tellsPlaces: false,
  format: 'mp4',
  serve: serveScript,
  refused: async () => ({ bucket: 'elsewhere' }),
})

test.each([
  ['a region', ['AWS_REGION', 'AWS_DEFAULT_REGION'], 'VID_AWS_REGION'],
  ['credentials', ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'], 'VID_AWS_CREDENTIALS'],
])('without %s nothing is uploaded', async (_, names, code) => {
  for (const name of [...names, 'AWS_PROFILE']) vi.stubEnv(name, undefined)
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/dev/null')
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  if (code !== 'VID_AWS_REGION') vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('VID_BUCKET', 'videos')
  vi.stubEnv('VID_SFN_ARN', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const target = lambda({})
  const context = { options: target.options, signal: new AbortController().signal }
  await expect(target.check?.({ format: 'mp4' } as never, context as never)).rejects.toMatchObject({ code })
})
