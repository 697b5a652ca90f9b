import { brokenPluginTests } from './fixtures/broken-plugins.ts'

// The other suites are in broken-plugins.long.test.ts.
brokenPluginTests(['command'])
