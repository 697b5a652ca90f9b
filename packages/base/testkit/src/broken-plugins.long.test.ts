import { brokenPluginTests } from './fixtures/broken-plugins.ts'

brokenPluginTests(['encoder', 'capture', 'target', 'request', 'transcriber', 'speaker', 'store', 'delivery'])
