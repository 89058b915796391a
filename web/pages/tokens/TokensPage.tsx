export default function TokensPage() {
  return null
}
