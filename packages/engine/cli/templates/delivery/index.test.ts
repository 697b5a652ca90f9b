import { dirname } from 'node:path'
import { blockedPath, type Destination, deliverySuite, folderDestination } from '@vid/testkit'
import deliver from './index.ts'

const into = (place: Destination): Destination => ({
  ...place,
  options: { folder: dirname(place.outputPath) },
})

deliverySuite(deliver, {
  options: { folder: '/nowhere' },
  destination: async () => into(await folderDestination()),
  unreachable: async () => into(await blockedPath()),
})
