import { requestTargetSuite } from '@vid/testkit'
import { serveScript } from './fixtures/scripted-api.ts'
import cloud from './index.ts'

requestTargetSuite(cloud, {
  options: {
    url: 'http://127.0.0.1:1',
    apiKey: 'key-of-ann',
    resolution: '1080p',
    pollSeconds: 0.01,
    awaySeconds: 1,
  },
  tellsPlaces: false,
  format: 'mp4',
  serve: serveScript,
  refused: async ({ options }) => ({ ...options, apiKey: 'key-of-nobody' }),
})
