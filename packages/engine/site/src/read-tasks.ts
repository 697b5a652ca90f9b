export { siteTextTask } from './site/site-text.ts'
