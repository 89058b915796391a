export default function DataAccessPage() {
  return null
}
