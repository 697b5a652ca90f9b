export { playedDocumentTask } from './publish/played-document.ts'
