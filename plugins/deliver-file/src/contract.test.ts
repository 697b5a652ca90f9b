import { blockedPath, deliverySuite, folderDestination } from '@vid/testkit'
import file from './index.ts'

deliverySuite(file, { destination: folderDestination, unreachable: blockedPath })
