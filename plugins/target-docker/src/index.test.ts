import { requestTargetSuite } from '@vid/testkit'
import { serveScript } from './fixtures/scripted-engine.ts'
import docker from './index.ts'

requestTargetSuite(docker, {
  options: { image: 'registry.example.com/vid@sha256:feed' },
  tellsPlaces: false,
  serve: serveScript,
})
