import { captureSuite } from '@vid/testkit'
import puppeteer from './index.ts'

captureSuite(puppeteer)
