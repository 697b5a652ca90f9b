import { requestTargetSuite } from '@vid/testkit'
import { serveScript } from './fixtures/scripted-aws.ts'
import lambda from './index.ts'

requestTargetSuite(lambda, {
  options: { region: 'us-east-1', pollSeconds: 0.01, awaySeconds: 2 },
  ...{ tellsPlaces: false, format: 'mp4' },
  serve: serveScript,
})
