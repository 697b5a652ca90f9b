import { requestTargetSuite } from '@vid/testkit'
import { serveScript, WRONG_TOKEN } from './fixtures/scripted-server.ts'
import producer from './index.ts'

requestTargetSuite(producer, {
  options: { url: 'http://127.0.0.1:1', awaySeconds: 1 },
  serve: serveScript,
  refused: async ({ options }) => ({ ...options, token: WRONG_TOKEN }),
})
