import { requestTargetSuite } from '@vid/testkit'
import { onTestFinished } from 'vitest'
import { serveScript, standIn } from './fixtures/scripted-engine.ts'
import docker from './index.ts'

requestTargetSuite(docker, {
  options: { image: 'registry.example.com/vid@sha256:feed' },
  tellsPlaces: false,
  serve: serveScript,
  async refused({ options }) {
    const engine = await standIn({ refusal: 'Cannot connect to the daemon' })
    onTestFinished(engine.close)
    return options
  },
})
