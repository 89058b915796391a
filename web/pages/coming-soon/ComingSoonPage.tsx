export default function ComingSoonPage() {
  return null
}
